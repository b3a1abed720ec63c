// Review: decide about one pair after another with the keyboard.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client';
import type { NewDecision } from '../api/types';
import { count, counted } from '../lib/format';
import { useLoad } from '../lib/use_load';
import { Page } from '../parts/page';
import { PairPanel } from '../parts/pair';
import { Empty, Failed, Loading } from '../parts/states';
import { Why } from '../parts/why';
import { KeyHelp, NoteDialog, Preview } from '../review/dialogs';
import { type KeyMap, useKeys } from '../review/keys';
import { acceptDecisions, splitDecisions } from '../review/model';
import { Actions, Head, Items, Notes } from '../review/panels';
import { ClusterQueue } from '../review/queue';
import { type Review as ReviewState, useReview } from '../review/use_review';
import { go, links } from '../router';

const queue = new ClusterQueue();
const mostDecisions = 5000;

type Open = { kind: 'none' } | { kind: 'note' } | { kind: 'keys' } | { kind: 'preview'; title: string; decisions: NewDecision[] };

interface Tools {
  say: (words: string) => void;
  open: (what: Open) => void;
}

async function nextCluster(id: string, say: Tools['say']): Promise<void> {
  const next = await queue.after(id);
  if (next === null) say('This was the last cluster.');
  else go(links.review(next));
}

function previousCluster(id: string, say: Tools['say']): void {
  const before = queue.before(id);
  if (before === null) say('This is the first cluster.');
  else go(links.review(before));
}

function preview({ say, open }: Tools, title: string, decisions: NewDecision[]): void {
  if (decisions.length === 0) say('There is nothing left to decide.');
  else if (decisions.length > mostDecisions) say(`That would be ${counted(decisions.length, 'decision')}; at most ${count(mostDecisions)} at once.`);
  else open({ kind: 'preview', title, decisions });
}

function keysOf(id: string, review: ReviewState, tools: Tools): KeyMap {
  const { data, current, decisions, marked, place } = review;
  const next = (): void => void nextCluster(id, tools.say);
  const previous = (): void => previousCluster(id, tools.say);
  const split = (): void => {
    if (data === undefined || current === undefined) return;
    const chosen = marked.size > 0 ? marked : new Set([current.id]);
    const rest = data.cluster.members.length - chosen.size;
    preview(tools, `Split ${counted(chosen.size, 'document')} from the other ${count(rest)}`, splitDecisions(data.cluster, chosen, decisions));
  };
  return {
    j: () => (place + 1 < (data?.items.length ?? 0) ? review.move(place + 1) : next()),
    k: () => (place > 0 ? review.move(place - 1) : previous()),
    ']': next,
    '[': previous,
    y: () => void review.judge('same'),
    n: () => void review.judge('separate'),
    Y: () => data !== undefined && preview(tools, 'Accept all undecided documents', acceptDecisions(data.cluster, decisions)),
    x: review.toggleMark,
    s: split,
    K: () => current !== undefined && void review.record([{ kind: 'keep', a: current.id }], 'Kept document changed', true),
    m: () => current !== undefined && tools.open({ kind: 'note' }),
    u: () => void review.undo(),
    r: review.reload,
    '?': () => tools.open({ kind: 'keys' }),
  };
}

function Dialogs({ open, review, close }: { open: Open; review: ReviewState; close: () => void }): JSX.Element | null {
  const { current } = review;
  if (open.kind === 'keys') return <KeyHelp close={close} />;
  if (open.kind === 'preview') {
    const confirm = (): void => void review.record(open.decisions, open.title, false);
    return <Preview title={open.title} decisions={open.decisions} confirm={confirm} close={close} />;
  }
  if (open.kind === 'note' && current !== undefined) {
    const save = (note: string): void => void review.record([{ kind: 'note', a: current.id, note }], 'Note', false);
    return <NoteDialog id={current.id} save={save} close={close} />;
  }
  return null;
}

function NotShown({ id, review, say }: { id: string; review: ReviewState; say: Tools['say'] }): JSX.Element {
  if (review.error === undefined) return <Loading what="the cluster" />;
  if (!(review.error instanceof ApiError && review.error.status === 404)) return <Failed error={review.error} retry={review.reload} />;
  return (
    <Empty title="This cluster no longer exists">
      <p>Its documents were removed, or decisions separated them.</p>
      <button type="button" class="primary" onClick={() => void nextCluster(id, say)}>
        Next cluster <kbd>]</kbd>
      </button>
    </Empty>
  );
}

function ReviewCluster({ id }: { id: string }): JSX.Element {
  const review = useReview(id);
  const { data, current } = review;
  const [open, setOpen] = useState<Open>({ kind: 'none' });
  const [notice, setNotice] = useState('');
  useEffect(() => setNotice(review.message), [review.message]);
  const keys = keysOf(id, review, { say: setNotice, open: setOpen });
  useKeys(keys);
  if (data === undefined || review.error !== undefined) return <NotShown id={id} review={review} say={setNotice} />;
  const { cluster, definition } = data;
  return (
    <>
      <Head review={review} cluster={cluster} definition={definition} />
      <Actions review={review} keys={keys} notice={notice} />
      <div class="panes">
        <Items review={review} items={data.items} kept={cluster.kept} measure={definition.measure} />
        <section class="pane-main" aria-label="Pair">
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
      <Dialogs open={open} review={review} close={() => setOpen({ kind: 'none' })} />
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
