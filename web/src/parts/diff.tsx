// Two texts side by side, word by word. The service computed the diff.
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { DiffPart, WordDiff } from '../api/types';
import { diffRows, type Fold } from '../lib/diff_rows';
import { count, counted } from '../lib/format';
import { cut } from '../lib/text';
import { Plain } from './plain';

const longestPart = 1200; // characters of one part that are shown at first

function Words({ text }: { text: string }): JSX.Element {
  const [whole, setWhole] = useState(false);
  if (whole || text.length <= longestPart) return <Plain text={text} />;
  const shown = cut(text, longestPart);
  return (
    <>
      <Plain text={shown} />{' '}
      <button type="button" class="link" onClick={() => setWhole(true)}>
        {count(text.length - shown.length)} more characters
      </button>
    </>
  );
}

// The space after a changed word is not a change.
function Changed({ text, side }: { text: string; side: 'a' | 'b' }): JSX.Element {
  const words = text.trimEnd();
  const Mark = side === 'a' ? 'del' : 'ins';
  return (
    <>
      <Mark>
        <Words text={words} />
      </Mark>
      {text.slice(words.length)}
    </>
  );
}

function Side({ parts, side }: { parts: DiffPart[]; side: 'a' | 'b' }): JSX.Element {
  return (
    <div class="diff-side" dir="auto">
      {parts.map((part) => {
        if (part[`${side}_words`] === 0 && part[side] === '') return null;
        return part.op === 'equal' ? <Words text={part[side]} /> : <Changed text={part[side]} side={side} />;
      })}
    </div>
  );
}

function FoldedPassage({ fold }: { fold: Fold }): JSX.Element {
  const [open, setOpen] = useState(false);
  const part: DiffPart = { op: 'equal', a_words: fold.words, b_words: fold.words, a: fold.a, b: fold.b };
  return (
    <>
      <div class="diff-fold">
        <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide' : 'Show'} {counted(fold.words, 'equal word')}
        </button>
      </div>
      {open && (
        <div class="diff-row diff-equal">
          <Side parts={[part]} side="a" />
          <Side parts={[part]} side="b" />
        </div>
      )}
    </>
  );
}

function Summary({ diff }: { diff: WordDiff }): JSX.Element {
  return (
    <p class="diff-summary">
      <span>{counted(diff.equal_words, 'equal word')}</span>
      <span>
        <del>{count(diff.removed_words)}</del> only on the left
      </span>
      <span>
        <ins>{count(diff.added_words)}</ins> only on the right
      </span>
      {!diff.shortest && <span>built from common passages: a shorter diff may exist</span>}
    </p>
  );
}

const firstRows = 60;

export function Diff({ diff }: { diff: WordDiff }): JSX.Element {
  const rows = useMemo(() => diffRows(diff.parts), [diff]);
  const [most, setMost] = useState(firstRows);
  const identical = diff.removed_words === 0 && diff.added_words === 0;
  return (
    <section class="diff" aria-label="Word diff">
      <Summary diff={diff} />
      {identical && <p class="quiet">No word differs.</p>}
      <div class="diff-rows">
        {rows.slice(0, most).map((row) =>
          row.kind === 'fold' ? (
            <FoldedPassage fold={row} />
          ) : (
            <div class="diff-row">
              <Side parts={row.parts} side="a" />
              <Side parts={row.parts} side="b" />
            </div>
          ),
        )}
      </div>
      {rows.length > most && (
        <p class="more">
          {counted(rows.length - most, 'more passage')}
          <button type="button" onClick={() => setMost(most * 4)}>
            Show more
          </button>
        </p>
      )}
      {diff.parts_left_out > 0 && (
        <p class="quiet">The service left out {counted(diff.parts_left_out, 'further part')} of this diff.</p>
      )}
    </section>
  );
}
