// The decisions that the page knows of, and how it changes them. Every change is a request first.
import { useState } from 'preact/hooks';
import { decide, withdraw } from '../api/calls';
import { ApiError } from '../api/client';
import type { Decision, NewDecision } from '../api/types';

// What one key did. Undoing it withdraws what was posted and posts again what was withdrawn.
export interface Action {
  words: string;
  posted: number[];
  withdrawn: Decision[];
  place: number;
  reloads: boolean;
}

export interface Log {
  decisions: Decision[];
  replace: (decisions: Decision[]) => void;
  post: (decision: NewDecision) => Promise<number>;
  take: (id: number) => Promise<void>;
}

function author(): string {
  return localStorage.getItem('neardup.author') ?? '';
}

export function useLog(): Log {
  const [decisions, setDecisions] = useState<Decision[]>([]);
  const post = async (decision: NewDecision): Promise<number> => {
    const sent = { author: author(), ...decision };
    const id = await decide(sent);
    const stored = { note: '', ...sent, id, b: decision.b ?? null, time: new Date().toISOString() };
    setDecisions((old) => [...old, stored]);
    return id;
  };
  const take = async (id: number): Promise<void> => {
    try {
      await withdraw(id);
    } catch (problem) {
      // Somebody else withdrew it: that is what was wanted.
      if (!(problem instanceof ApiError && problem.status === 404)) throw problem;
    }
    setDecisions((old) => old.filter((entry) => entry.id !== id));
  };
  return { decisions, replace: setDecisions, post, take };
}

// Each step is noted when it is done, so that a failure in between leaves an action that can be continued.
export async function undoAction(action: Action, log: Log): Promise<void> {
  for (let id = action.posted.at(-1); id !== undefined; id = action.posted.at(-1)) {
    await log.take(id);
    action.posted.pop();
  }
  for (let old = action.withdrawn[0]; old !== undefined; old = action.withdrawn[0]) {
    await log.post({ kind: old.kind, a: old.a, author: old.author, note: old.note, ...(old.b === null ? {} : { b: old.b }) });
    action.withdrawn.shift();
  }
}
