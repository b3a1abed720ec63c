// What is there to decide in a cluster, and what was decided? Functions of values only.
import type { Cluster, ClusterMember, Decision, NewDecision } from '../api/types';
import { isDistance } from '../lib/format';

export type Status = 'same' | 'separate' | null;

// Members other than the kept one, the most different first: those that only others link to it, then by score.
export function reviewOrder(cluster: Cluster, measure: string): ClusterMember[] {
  const sign = isDistance(measure) ? -1 : 1;
  return cluster.members
    .filter((member) => member.id !== cluster.kept)
    .sort((x, y) => {
      if (x.score === null || y.score === null) return Number(x.score !== null) - Number(y.score !== null) || x.sequence - y.sequence;
      return sign * (x.score - y.score) || x.sequence - y.sequence;
    });
}

function concerns(decision: Decision, a: string, b: string): boolean {
  return (decision.a === a && decision.b === b) || (decision.a === b && decision.b === a);
}

// Decisions that say whether a pair is the same, oldest first.
export function decisionsOn(decisions: Decision[], a: string, b: string): Decision[] {
  return decisions.filter((entry) => (entry.kind === 'same' || entry.kind === 'separate') && concerns(entry, a, b));
}

export function statusOf(decisions: Decision[], a: string, b: string): Status {
  const last = decisionsOn(decisions, a, b).at(-1);
  return last === undefined ? null : (last.kind as Status);
}

export function notesOn(decisions: Decision[], id: string): Decision[] {
  return decisions.filter((entry) => entry.kind === 'note' && entry.a === id);
}

// Separating one pair does not split a cluster that others hold together. So the marked documents are separated from each of the rest.
export function splitDecisions(cluster: Cluster, marked: Set<string>, decisions: Decision[]): NewDecision[] {
  const inside = cluster.members.filter((member) => marked.has(member.id));
  const outside = cluster.members.filter((member) => !marked.has(member.id));
  return inside.flatMap((a) =>
    outside
      .filter((b) => statusOf(decisions, a.id, b.id) !== 'separate')
      .map((b): NewDecision => ({ kind: 'separate', a: a.id, b: b.id })),
  );
}

// All pairs with the kept document that nobody decided yet.
export function acceptDecisions(cluster: Cluster, decisions: Decision[]): NewDecision[] {
  return cluster.members
    .filter((member) => member.id !== cluster.kept && statusOf(decisions, cluster.kept, member.id) === null)
    .map((member): NewDecision => ({ kind: 'same', a: cluster.kept, b: member.id }));
}

export function asJsonLines(decisions: Decision[]): string {
  return decisions.map((decision) => `${JSON.stringify(decision)}\n`).join('');
}
