// The state of a review: the cluster, where the reader is, what was decided, and what can be undone.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { getCluster, getDecisions, getStats } from '../api/calls';
import type { Cluster, ClusterMember, Decision, Definition, NewDecision } from '../api/types';
import { counted } from '../lib/format';
import { type Action, type Log, undoAction, useLog } from './log';
import { decisionsOn, reviewOrder, statusOf } from './model';

const mostMembers = 1000;

interface ReviewData {
  cluster: Cluster;
  definition: Definition;
  items: ClusterMember[]; // in the order of review
}

export interface Review {
  data: ReviewData | undefined;
  current: ClusterMember | undefined;
  place: number;
  decisions: Decision[];
  marked: Set<string>;
  message: string;
  error: unknown;
  canUndo: boolean;
  move: (to: number) => void;
  toggleMark: () => void;
  judge: (kind: 'same' | 'separate') => Promise<void>;
  record: (decisions: NewDecision[], words: string, reloads: boolean) => Promise<void>;
  undo: () => Promise<void>;
  reload: () => void;
}

function reasonOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

function useData(id: string, log: Log): { data: ReviewData | undefined; error: unknown; reload: () => void } {
  const [data, setData] = useState<ReviewData>();
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    let stale = false;
    Promise.all([getCluster(id, mostMembers, ''), getStats(), getDecisions()]).then(
      ([cluster, { definition }, decisions]) => {
        if (stale) return;
        setData({ cluster, definition, items: reviewOrder(cluster, definition.measure) });
        log.replace(decisions);
        setError(undefined);
      },
      (problem: unknown) => {
        if (!stale) setError(problem);
      },
    );
    return () => {
      stale = true;
    };
  }, [id, round]);
  return { data, error, reload: useCallback(() => setRound((value) => value + 1), []) };
}

// One change at a time: keys that come faster than answers are ignored, not queued.
function useExclusive(say: (words: string) => void): (work: () => Promise<void>) => Promise<void> {
  const working = useRef(false);
  return async (work) => {
    if (working.current) return;
    working.current = true;
    try {
      await work();
    } catch (problem) {
      say(`Not recorded: ${reasonOf(problem)}`);
    } finally {
      working.current = false;
    }
  };
}

interface Position {
  place: number;
  setPlace: (place: number) => void;
}

type Changes = Pick<Review, 'judge' | 'record' | 'undo' | 'canUndo'>;

function useChanges(data: ReviewData | undefined, log: Log, { place, setPlace }: Position, reload: () => void, say: (words: string) => void): Changes {
  const actions = useRef<Action[]>([]);
  const exclusively = useExclusive(say);

  // An action is there before its first request: after a failure, the part that was done can be undone.
  const begin = async (words: string, reloads: boolean, work: (action: Action) => Promise<void>): Promise<void> => {
    const action: Action = { words, posted: [], withdrawn: [], place, reloads };
    actions.current.push(action);
    try {
      await work(action);
    } finally {
      if (action.posted.length + action.withdrawn.length === 0) actions.current.pop();
      if (reloads) reload();
    }
  };
  const record = (wanted: NewDecision[], words: string, reloads: boolean): Promise<void> =>
    exclusively(() =>
      begin(words, reloads, async ({ posted }) => {
        try {
          for (const decision of wanted) posted.push(await log.post(decision));
        } catch (problem) {
          throw new Error(`${reasonOf(problem)} (${posted.length} of ${counted(wanted.length, 'decision')} recorded)`);
        }
        say(`${words}. ${counted(wanted.length, 'decision')} recorded.`);
      }),
    );
  const judge = (kind: 'same' | 'separate'): Promise<void> =>
    exclusively(async () => {
      const item = data?.items[place];
      if (data === undefined || item === undefined) return;
      const { kept } = data.cluster;
      const words = kind === 'same' ? 'Same' : 'Not the same';
      if (statusOf(log.decisions, kept, item.id) !== kind) {
        await begin(words, false, async (action) => {
          for (const contrary of decisionsOn(log.decisions, kept, item.id)) {
            await log.take(contrary.id);
            action.withdrawn.push(contrary);
          }
          action.posted.push(await log.post({ kind, a: kept, b: item.id }));
        });
        say(`${words}: recorded.`);
      }
      if (place + 1 < data.items.length) setPlace(place + 1);
    });
  const undo = (): Promise<void> =>
    exclusively(async () => {
      const action = actions.current.at(-1);
      if (action === undefined) return say('Nothing to undo.');
      await undoAction(action, log);
      actions.current.pop();
      setPlace(action.place);
      say(`Undone: ${action.words.toLowerCase()}.`);
      if (action.reloads) reload();
    });
  return { judge, record, undo, canUndo: actions.current.length > 0 };
}

export function useReview(id: string): Review {
  const log = useLog();
  const { data, error, reload } = useData(id, log);
  const [place, setPlace] = useState(0);
  const [marked, setMarked] = useState<Set<string>>(new Set());
  const [message, setMessage] = useState('');
  const last = Math.max((data?.items.length ?? 1) - 1, 0);
  const shown = Math.min(place, last); // a cluster that was loaded again may be smaller
  const changes = useChanges(data, log, { place: shown, setPlace }, reload, setMessage);
  const current = data?.items[shown];
  const toggleMark = (): void => {
    if (current === undefined) return;
    const next = new Set(marked);
    if (!next.delete(current.id)) next.add(current.id);
    setMarked(next);
  };
  return {
    ...changes,
    record: (wanted, words, reloads) => changes.record(wanted, words, reloads).then(() => setMarked(new Set())),
    data,
    error,
    reload,
    current,
    place: shown,
    decisions: log.decisions,
    marked,
    message,
    move: (to) => setPlace(Math.max(0, Math.min(to, last))),
    toggleMark,
  };
}
