// Text of strangers. It is isolated from the text around it, and long texts are shown piece by piece.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { count } from '../lib/format';
import { cut, pieces } from '../lib/text';

export function Plain({ text }: { text: string }): JSX.Element {
  return (
    <>
      {pieces(text).map((piece) => (piece.hidden ? <span class="invisible">{piece.text}</span> : piece.text))}
    </>
  );
}

const longestKey = 240;
const plainKey = /^[\x20-\x7e]*$/;
const endLength = 22;

// A document's key on one line. Paths and URLs often differ at the end only, so a key without room is cut in the middle. The whole
// of it is the tooltip.
export function Key({ text }: { text: string }): JSX.Element {
  if (!plainKey.test(text) || text.length > longestKey) {
    const shown = cut(text, longestKey);
    return (
      <bdi class="key" title={text}>
        <span class="key-start">
          <Plain text={shown} />
          {shown.length < text.length && '…'}
        </span>
      </bdi>
    );
  }
  const end = text.length > 2 * endLength ? endLength : 0;
  return (
    <bdi class="key" title={text}>
      <span class="key-start">{text.slice(0, text.length - end)}</span>
      {end > 0 && <span class="key-end">{text.slice(-end)}</span>}
    </bdi>
  );
}

const firstLength = 20_000;

export function LongText({ text }: { text: string }): JSX.Element {
  const [length, setLength] = useState(firstLength);
  const shown = cut(text, length);
  const left = text.length - shown.length;
  return (
    <>
      <div class="document-text" dir="auto" tabIndex={0} role="region" aria-label="Text of the document">
        <Plain text={shown} />
      </div>
      {left > 0 && (
        <p class="more">
          {count(left)} characters are not shown.
          <button type="button" onClick={() => setLength(length + 5 * firstLength)}>
            Show {count(Math.min(left, 5 * firstLength))} more
          </button>
        </p>
      )}
    </>
  );
}
