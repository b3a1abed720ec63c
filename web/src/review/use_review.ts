// The state of a review: the cluster, where the reader is, what was decided, and what can be undone.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { decide, getCluster, getDecisions, getStats, withdraw } from '../api/calls';
import { ApiError } from '../api/client';
import type { Cluster, ClusterMember, Decision, Definition, NewDecision } from '../api/types';
import { counted } from '../lib/format';
import { decisionsOn, reviewOrder, statusOf } from './model';

const mostMembers = 1000;

// What one key did. Undoing it withdraws what was posted and posts again what was withdrawn.
interface Action {
  words: string;
  posted: number[];
  withdrawn: Decision[];
  place: number;
  reloads: boolean;
}

export interface Review {
  cluster: Cluster | undefined;
  definition: Definition | undefined;
  items: ClusterMember[];
  current: ClusterMember | undefined;
  place: number;
  decisions: Decision[];
  marked: Set<string>;
  busy: boolean;
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

function readAuthor(): string {
  return localStorage.getItem('neardup.author') ?? '';
}

async function loadAll(id: string): Promise<{ cluster: Cluster; definition: Definition; decisions: Decision[] }> {
  const [cluster, stats, decisions] = await Promise.all([getCluster(id, mostMembers, ''), getStats(), getDecisions()]);
  return { cluster, definition: stats.definition, decisions };
}

export function useReview(id: string): Review {
  const [loaded, setLoaded] = useState<{ cluster: Cluster; definition: Definition; items: ClusterMember[] }>();
  const [decisions, setDecisions] = useState<Decision[]>([]);
  const [place, setPlace] = useState(0);
  const [marked, setMarked] = useState<Set<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  const actions = useRef<Action[]>([]);
  const working = useRef(false);

  useEffect(() => {
    let stale = false;
    loadAll(id).then(
      (all) => {
        if (stale) return;
        const items = reviewOrder(all.cluster, all.definition.measure);
        setLoaded({ cluster: all.cluster, definition: all.definition, items });
        setDecisions(all.decisions);
        setError(undefined);
        setPlace((old) => Math.min(old, Math.max(items.length - 1, 0)));
      },
      (problem: unknown) => {
        if (!stale) setError(problem);
      },
    );
    return () => {
      stale = true;
    };
  }, [id, round]);

  const reload = useCallback(() => setRound((value) => value + 1), []);
  const items = loaded?.items ?? [];
  const current = items[place];

  // One change at a time: keys that come faster than answers are ignored, not queued.
  const exclusively = async (work: () => Promise<void>): Promise<void> => {
    if (working.current) return;
    working.current = true;
    setBusy(true);
    try {
      await work();
    } catch (problem) {
      setMessage(problem instanceof ApiError ? `Not recorded: ${problem.message}` : String(problem));
    } finally {
      working.current = false;
      setBusy(false);
    }
  };

  const post = async (wanted: NewDecision[], action: Action): Promise<void> => {
    const author = readAuthor();
    for (const decision of wanted) {
      const sent = author === '' ? decision : { ...decision, author };
      const posted = await decide(sent);
      action.posted.push(posted);
      const stored = { note: '', ...sent, id: posted, b: decision.b ?? null, author, time: new Date().toISOString() };
      setDecisions((old) => [...old, stored]);
    }
  };

  const take = async (ids: number[]): Promise<void> => {
    for (const decision of ids) {
      await withdraw(decision);
      setDecisions((old) => old.filter((entry) => entry.id !== decision));
    }
  };

  const record = (wanted: NewDecision[], words: string, reloads: boolean): Promise<void> =>
    exclusively(async () => {
      const action: Action = { words, posted: [], withdrawn: [], place, reloads };
      actions.current.push(action); // before the first request: after a failure, what was posted can be undone
      try {
        await post(wanted, action);
        setMessage(`${words}. ${counted(wanted.length, 'decision')} recorded.`);
        setMarked(new Set());
      } catch (problem) {
        const reason = problem instanceof Error ? problem.message : String(problem);
        setMessage(`${action.posted.length} of ${wanted.length} decisions recorded, then: ${reason}`);
      }
      if (action.posted.length === 0) actions.current.pop();
      if (reloads) reload();
    });

  const judge = (kind: 'same' | 'separate'): Promise<void> =>
    exclusively(async () => {
      if (loaded === undefined || current === undefined) return;
      const { kept } = loaded.cluster;
      if (statusOf(decisions, kept, current.id) !== kind) {
        const words = kind === 'same' ? 'Same' : 'Not the same';
        const action: Action = { words, posted: [], withdrawn: [], place, reloads: false };
        actions.current.push(action);
        const contrary = decisionsOn(decisions, kept, current.id);
        await take(contrary.map((entry) => entry.id));
        action.withdrawn = contrary;
        await post([{ kind, a: kept, b: current.id }], action);
        setMessage(`${words}: recorded.`);
      }
      if (place + 1 < items.length) setPlace(place + 1);
    });

  const undo = (): Promise<void> =>
    exclusively(async () => {
      const action = actions.current.at(-1);
      if (action === undefined) {
        setMessage('Nothing to undo.');
        return;
      }
      await take(action.posted);
      action.posted = [];
      for (const { kind, a, b, note } of action.withdrawn) await post([{ kind, a, note, ...(b === null ? {} : { b }) }], action);
      actions.current.pop();
      setPlace(action.place);
      setMessage(`Undone: ${action.words.toLowerCase()}.`);
      if (action.reloads) reload();
    });

  const toggleMark = (): void => {
    if (current === undefined) return;
    const next = new Set(marked);
    if (!next.delete(current.id)) next.add(current.id);
    setMarked(next);
  };

  return {
    cluster: loaded?.cluster,
    definition: loaded?.definition,
    items,
    current,
    place,
    decisions,
    marked,
    busy,
    message,
    error,
    canUndo: actions.current.length > 0,
    move: (to) => setPlace(Math.max(0, Math.min(to, items.length - 1))),
    toggleMark,
    judge,
    record,
    undo,
    reload,
  };
}
