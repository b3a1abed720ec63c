// Review: decide about one pair after another with the keyboard.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client';
import type { NewDecision } from '../api/types';
import { count, counted, criterion } from '../lib/format';
import { useLoad } from '../lib/use_load';
import { Page } from '../parts/page';
import { PairPanel } from '../parts/pair';
import { Empty, Failed, Loading } from '../parts/states';
import { Why } from '../parts/why';
import { KeyHelp, NoteDialog, Preview } from '../review/dialogs';
import { Actions, AuthorField, Items, Notes } from '../review/panels';
import { useKeys } from '../review/keys';
import { acceptDecisions, splitDecisions, statusOf } from '../review/model';
import { ClusterQueue } from '../review/queue';
import { useReview } from '../review/use_review';
import { go, links } from '../router';

const queue = new ClusterQueue();
const mostDecisions = 5000;

type Open = { kind: 'none' } | { kind: 'note' } | { kind: 'keys' } | { kind: 'preview'; title: string; words: string; decisions: NewDecision[] };

function ReviewCluster({ id }: { id: string }): JSX.Element {
  const review = useReview(id);
  const { cluster, definition, current } = review;
  const [open, setOpen] = useState<Open>({ kind: 'none' });
  const [notice, setNotice] = useState('');
  const panel = useRef<HTMLElement>(null);
  const close = (): void => setOpen({ kind: 'none' });
  const say = (words: string): void => setNotice(words);
  useEffect(() => setNotice(review.message), [review.message]);
  useEffect(() => panel.current?.scrollTo({ top: 0 }), [current?.id]);

  const nextCluster = async (): Promise<void> => {
    const next = await queue.after(id);
    if (next === null) say('This was the last cluster.');
    else go(links.review(next));
  };
  const previousCluster = (): void => {
    const before = queue.before(id);
    if (before === null) say('This is the first cluster.');
    else go(links.review(before));
  };
  const preview = (title: string, words: string, decisions: NewDecision[]): void => {
    if (decisions.length === 0) say('There is nothing left to decide.');
    else if (decisions.length > mostDecisions) say(`That would be ${counted(decisions.length, 'decision')}; at most ${mostDecisions} at once.`);
    else setOpen({ kind: 'preview', title, words, decisions });
  };
  const split = (): void => {
    if (cluster === undefined || current === undefined) return;
    const chosen = review.marked.size > 0 ? review.marked : new Set([current.id]);
    const rest = cluster.members.length - chosen.size;
    const title = `Split ${counted(chosen.size, 'document')} from the other ${count(rest)}`;
    preview(title, title, splitDecisions(cluster, chosen, review.decisions));
  };
  const keys = {
    j: () => (review.place + 1 < review.items.length ? review.move(review.place + 1) : void nextCluster()),
    k: () => (review.place > 0 ? review.move(review.place - 1) : previousCluster()),
    ']': () => void nextCluster(),
    '[': previousCluster,
    y: () => void review.judge('same'),
    n: () => void review.judge('separate'),
    Y: () => cluster !== undefined && preview('Accept all undecided documents', 'Accepted', acceptDecisions(cluster, review.decisions)),
    x: review.toggleMark,
    s: split,
    K: () => current !== undefined && void review.record([{ kind: 'keep', a: current.id }], 'Keeps this document', true),
    m: () => current !== undefined && setOpen({ kind: 'note' }),
    u: () => void review.undo(),
    r: review.reload,
    '?': () => setOpen({ kind: 'keys' }),
  };
  useKeys(keys);

  if (review.error !== undefined) {
    const gone = review.error instanceof ApiError && review.error.status === 404;
    return gone ? (
      <Empty title="This cluster no longer exists">
        <p>Its documents were removed, or decisions separated them.</p>
        <button type="button" class="primary" onClick={() => void nextCluster()}>
          Next cluster <kbd>]</kbd>
        </button>
      </Empty>
    ) : (
      <Failed error={review.error} retry={review.reload} />
    );
  }
  if (cluster === undefined || definition === undefined) return <Loading what="the cluster" />;
  const decided = review.items.filter((item) => statusOf(review.decisions, cluster.kept, item.id) !== null).length;
  return (
    <>
      <div class="review-head">
        <p>
          <a href={links.cluster(id)}>Cluster {id}</a>: {decided} of {counted(review.items.length, 'pair')} decided
          <span class="quiet"> · {criterion(definition.measure, definition.threshold)}, most different first</span>
          {cluster.next !== null && <span class="quiet"> · the first {review.items.length + 1} of {counted(cluster.documents, 'document')}</span>}
        </p>
        <AuthorField />
      </div>
      <Actions review={review} keys={keys} notice={notice} />
      <div class="panes">
        <Items review={review} kept={cluster.kept} measure={definition.measure} />
        <section class="pane-main" aria-label="Pair" ref={panel}>
          {current === undefined ? (
            <Empty title="Nothing to compare">
              <p>The cluster has one document only.</p>
            </Empty>
          ) : (
            <>
              <Why member={current} cluster={id} definition={definition} />
              <Notes review={review} ids={[cluster.kept, current.id]} />
              <PairPanel a={cluster.kept} b={current.id} kept={cluster.kept} />
            </>
          )}
        </section>
      </div>
      {open.kind === 'preview' && (
        <Preview
          title={open.title}
          decisions={open.decisions}
          confirm={() => void review.record(open.decisions, open.words, false)}
          close={close}
        />
      )}
      {open.kind === 'note' && current !== undefined && (
        <NoteDialog id={current.id} save={(note) => void review.record([{ kind: 'note', a: current.id, note }], 'Note', false)} close={close} />
      )}
      {open.kind === 'keys' && <KeyHelp close={close} />}
    </>
  );
}

function FirstCluster(): JSX.Element {
  const first = useLoad('first', () => queue.after(null));
  useEffect(() => {
    if (typeof first.data === 'string') go(links.review(first.data), 'replace');
  }, [first.data]);
  if (first.error !== undefined) return <Failed error={first.error} retry={first.reload} />;
  if (first.data === null) {
    return (
      <Empty title="Nothing to review">
        <p>No two documents of the index are near-duplicates.</p>
      </Empty>
    );
  }
  return <Loading what="clusters" />;
}

export function Review({ cluster }: { cluster: string | null }): JSX.Element {
  return (
    <Page title={cluster === null ? 'Review' : `Review cluster ${cluster}`} heading="Review" wide>
      {cluster === null ? <FirstCluster /> : <ReviewCluster key={cluster} id={cluster} />}
    </Page>
  );
}
