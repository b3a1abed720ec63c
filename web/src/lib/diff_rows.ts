// Which parts of a word diff stand side by side, and which equal passages are folded away?
//
// A row has the words of both texts around a few changes. Long equal passages between rows become a fold, which a reader can open.
import type { DiffPart } from '../api/types';
import { head, tail } from './text';

export interface Fold {
  kind: 'fold';
  words: number; // of the whole equal passage
  a: string;
  b: string;
}

export interface Row {
  kind: 'row';
  parts: DiffPart[];
}

const contextLength = 90; // characters of an equal passage that stay visible beside a change
const alignLength = 60; // a shared passage that ends a row

function excerpt(part: DiffPart, cutter: (text: string, length: number) => string): DiffPart {
  return { ...part, a: cutter(part.a, contextLength), b: cutter(part.b, contextLength) };
}

export function diffRows(parts: DiffPart[]): (Row | Fold)[] {
  const result: (Row | Fold)[] = [];
  let row: DiffPart[] = [];
  const flush = (): void => {
    if (row.length > 0) result.push({ kind: 'row', parts: row });
    row = [];
  };
  parts.forEach((part, place) => {
    const long = part.op === 'equal' && Math.max(part.a.length, part.b.length) > 3 * contextLength;
    if (!long) {
      row.push(part);
      // Rows keep both sides at the same height, so each ends as soon as there is enough in common.
      if (part.op === 'equal' && place > 0 && (part.a.length > alignLength || (part.a.includes('\n') && part.b.includes('\n')))) flush();
      return;
    }
    if (place > 0) row.push(excerpt(part, head));
    flush();
    result.push({ kind: 'fold', words: part.a_words, a: part.a, b: part.b });
    // The service shortens very long passages, and then their end is not known.
    if (place < parts.length - 1 && !part.a.endsWith('…')) row.push(excerpt(part, tail));
  });
  flush();
  return result;
}
