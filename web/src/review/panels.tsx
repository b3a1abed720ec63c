// Parts of the review: the list of documents, the actions, notes, the author.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Cluster, ClusterMember, Definition } from '../api/types';
import { count, counted, criterion, score, time } from '../lib/format';
import { Key, Plain } from '../parts/plain';
import { links } from '../router';
import type { KeyMap } from './keys';
import { notesOn, statusOf } from './model';
import type { Review } from './use_review';

export function Head({ review, cluster, definition }: { review: Review; cluster: Cluster; definition: Definition }): JSX.Element {
  const pairs = cluster.members.filter((member) => member.id !== cluster.kept);
  const decided = pairs.filter((member) => statusOf(review.decisions, cluster.kept, member.id) !== null).length;
  return (
    <div class="review-head">
      <p>
        <a href={links.cluster(cluster.id)}>Cluster {cluster.id}</a>: {count(decided)} of {counted(pairs.length, 'pair')} decided
        <span class="quiet"> · {criterion(definition.measure, definition.threshold)}, most different first</span>
        {cluster.next !== null && (
          <span class="quiet">
            {' '}
            · the first {count(cluster.members.length)} of {counted(cluster.documents, 'document')}
          </span>
        )}
      </p>
      <AuthorField />
    </div>
  );
}

const statusWords = { same: 'same', separate: 'not the same' };

interface ItemsProperties {
  review: Review;
  items: ClusterMember[];
  kept: string;
  measure: string;
}

export function Items({ review, items, kept, measure }: ItemsProperties): JSX.Element {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    list.current?.querySelector('.current')?.scrollIntoView({ block: 'nearest' });
  }, [review.place]);
  return (
    <nav class="pane-list" aria-label="Documents of the cluster" ref={list}>
      <p class="pane-title">
        <Key text={kept} />
        <span class="tag tag-kept">kept</span>
      </p>
      <ul class="members">
        {items.map((item, place) => {
          const status = statusOf(review.decisions, kept, item.id);
          return (
            <li key={item.id}>
              <button
                type="button"
                class={place === review.place ? 'member current' : 'member'}
                aria-current={place === review.place ? 'true' : undefined}
                onClick={() => review.move(place)}
              >
                <span class="mark">{review.marked.has(item.id) && <span title="Marked for a split">●<span class="hidden"> marked</span></span>}</span>
                <Key text={item.id} />
                {status !== null && <span class={`tag tag-${status}`}>{statusWords[status]}</span>}
                <span class="number">{item.score === null ? 'linked' : score(measure, item.score)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

const actions: [string, string][] = [
  ['y', 'Same'],
  ['n', 'Not the same'],
  ['x', 'Mark'],
  ['s', 'Split…'],
  ['Y', 'Accept all…'],
  ['K', 'Keep this one'],
  ['m', 'Note…'],
  ['u', 'Undo'],
  [']', 'Next cluster'],
  ['?', 'Keys'],
];

export function Actions({ review, keys, notice }: { review: Review; keys: KeyMap; notice: string }): JSX.Element {
  return (
    <div class="review-actions" role="group" aria-label="Decisions">
      {actions.map(([key, words]) => (
        <button type="button" onClick={() => keys[key]?.()} aria-keyshortcuts={key} disabled={key === 'u' && !review.canUndo}>
          {words} <kbd>{key}</kbd>
        </button>
      ))}
      <p class="notice" role="status">
        {notice}
      </p>
    </div>
  );
}

export function Notes({ review, ids }: { review: Review; ids: string[] }): JSX.Element | null {
  const notes = ids.flatMap((id) => notesOn(review.decisions, id));
  if (notes.length === 0) return null;
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note.id}>
          <bdi class="note-text" dir="auto">
            <Plain text={note.note} />
          </bdi>
          <span class="quiet">
            {' '}
            on <Key text={note.a} />, {note.author !== '' && <bdi><Plain text={note.author} />, </bdi>}
            {time(note.time)}
          </span>
        </li>
      ))}
    </ul>
  );
}

// The name that decisions carry. It stays in this browser.
export function AuthorField(): JSX.Element {
  const [author, setAuthor] = useState(() => localStorage.getItem('neardup.author') ?? '');
  return (
    <label class="author">
      Decided by{' '}
      <input
        type="text"
        maxLength={200}
        placeholder="your name"
        value={author}
        onInput={(event) => {
          setAuthor(event.currentTarget.value);
          localStorage.setItem('neardup.author', event.currentTarget.value.trim());
        }}
      />
    </label>
  );
}
