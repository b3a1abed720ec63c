// How is text of strangers shown? As text nodes only. Characters that cannot be seen, or that reorder their neighbours, are named.

export interface TextPiece {
  text: string;
  hidden: boolean; // an invisible character, written as its code point
}

// Controls but for tab and newline, zero-width space, marks and overrides of direction, byte-order mark, tags. The joiners U+200C
// and U+200D stay: scripts and emoji need them.
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
const everyInvisible = new RegExp(invisible.source, 'gu');

export function pieces(text: string): TextPiece[] {
  if (!invisible.test(text)) return [{ text, hidden: false }];
  const result: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(everyInvisible)) {
    if (match[0] === '\r' && text[match.index + 1] === '\n') continue; // a line ending, not an oddity
    if (match.index > end) result.push({ text: text.slice(end, match.index), hidden: false });
    const code = match[0].codePointAt(0) ?? 0;
    result.push({ text: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`, hidden: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) result.push({ text: text.slice(end), hidden: false });
  return result;
}

// Cuts at a code point, so that no half of a surrogate pair is shown.
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

// The beginning of a text up to about `length` characters, at a space if one is near.
export function head(text: string, length: number): string {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(' ', length);
  return space > length / 2 ? text.slice(0, space + 1) : cut(text, length);
}

export function tail(text: string, length: number): string {
  if (text.length <= length) return text;
  const from = text.length - length;
  const space = text.indexOf(' ', from);
  if (space >= 0 && space < from + length / 2) return text.slice(space + 1);
  return cut(text, from).length === from ? text.slice(from) : text.slice(from - 1);
}
