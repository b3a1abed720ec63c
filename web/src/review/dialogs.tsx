// Dialogs of the review: a bulk action before it happens, a note, the keys.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { NewDecision } from '../api/types';
import { counted } from '../lib/format';
import { Key } from '../parts/plain';

function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog ref={element} onClose={close} aria-labelledby="dialog-title">
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

const pairsShown = 200;

interface PreviewProperties {
  title: string;
  decisions: NewDecision[];
  confirm: () => void;
  close: () => void;
}

export function Preview({ title, decisions, confirm, close }: PreviewProperties): JSX.Element {
  const words = decisions[0]?.kind === 'separate' ? 'is not the same as' : 'is the same as';
  return (
    <Dialog title={title} close={close}>
      <p class="quiet">Each line becomes a decision of its own, which can be withdrawn alone.</p>
      <ul class="preview" tabIndex={0} aria-label="Decisions">
        {decisions.slice(0, pairsShown).map((decision) => (
          <li>
            <Key text={decision.a} />
            <span class="quiet">{words}</span>
            <Key text={decision.b ?? ''} />
          </li>
        ))}
      </ul>
      {decisions.length > pairsShown && <p class="quiet">and {counted(decisions.length - pairsShown, 'more decision')}</p>}
      <form method="dialog" class="actions">
        <button type="submit" class="primary" onClick={confirm} autofocus>
          Record {counted(decisions.length, 'decision')}
        </button>
        <button type="submit">Cancel</button>
      </form>
    </Dialog>
  );
}

export function NoteDialog({ id, save, close }: { id: string; save: (note: string) => void; close: () => void }): JSX.Element {
  const [note, setNote] = useState('');
  return (
    <Dialog title="Note" close={close}>
      <p>
        About <Key text={id} />
      </p>
      <form
        method="dialog"
        onSubmit={() => {
          if (note.trim() !== '') save(note.trim());
        }}
      >
        <label>
          <span class="hidden">Text of the note</span>
          <textarea
            rows={4}
            maxLength={10_000}
            dir="auto"
            value={note}
            autofocus
            onInput={(event) => setNote(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        <p class="actions">
          <button type="submit" class="primary">
            Save note
          </button>
          <button type="button" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
            Cancel
          </button>
          <span class="quiet">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd> saves
          </span>
        </p>
      </form>
    </Dialog>
  );
}

const keyHelp: [string, string][] = [
  ['j, k', 'next, previous document'],
  [']  [', 'next, previous cluster'],
  ['y', 'the same: a near-duplicate of the kept document'],
  ['n', 'not the same: this pair no longer counts'],
  ['Y', 'the same, for all that are undecided (with preview)'],
  ['x', 'mark or unmark for a split'],
  ['s', 'split: separate the marked documents, or this one, from all others (with preview)'],
  ['K', 'keep this document instead'],
  ['m', 'write a note'],
  ['u', 'undo the last action'],
  ['r', 'load the cluster again'],
  ['?', 'this help'],
];

export function KeyHelp({ close }: { close: () => void }): JSX.Element {
  return (
    <Dialog title="Keys" close={close}>
      <dl class="key-help">
        {keyHelp.map(([keys, words]) => (
          <>
            <dt>
              {keys.split(/[ ,]+/).map((name) => (
                <kbd>{name}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="primary" autofocus>
          Close
        </button>
      </form>
    </Dialog>
  );
}
