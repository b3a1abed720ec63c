// The requests of the page, one function each.
import { query, requestJson, requestText } from './client';
import type {
  Change,
  CheckResult,
  Cluster,
  ClustersPage,
  Compared,
  Comparison,
  Decision,
  Match,
  NewDecision,
  Stats,
  StoredDocument,
} from './types';

type Signal = AbortSignal | undefined;

export async function getStats(signal?: Signal): Promise<Stats> {
  return (await requestJson('/v1/stats', { signal })) as Stats;
}

export function getMetrics(signal?: Signal): Promise<string> {
  return requestText('/metrics', { signal });
}

export async function getClusters(minimum: number, limit: number, after: string, signal?: Signal): Promise<ClustersPage> {
  return (await requestJson(`/v1/clusters${query({ min_size: minimum, limit, after })}`, { signal })) as ClustersPage;
}

export async function getCluster(id: string, limit: number, after: string, signal?: Signal): Promise<Cluster> {
  return (await requestJson(`/v1/clusters/${encodeURIComponent(id)}${query({ limit, after })}`, { signal })) as Cluster;
}

export async function getDocument(id: string, maxTextBytes?: number, signal?: Signal): Promise<StoredDocument> {
  const path = `/v1/documents/${encodeURIComponent(id)}${query({ max_text: maxTextBytes })}`;
  return (await requestJson(path, { signal })) as StoredDocument;
}

export async function check(text: string, matches: number, signal?: Signal): Promise<CheckResult> {
  return (await requestJson(`/v1/check${query({ matches })}`, { method: 'POST', body: { text }, signal })) as CheckResult;
}

// Near-duplicates of a stored document, best first. The document itself is one of them.
export async function checkStored(id: string, matches: number, signal?: Signal): Promise<Match[]> {
  const { text, fingerprint } = await getDocument(id, undefined, signal);
  const body = fingerprint !== null ? { fingerprint } : { text: text ?? '' };
  const result = (await requestJson(`/v1/check${query({ matches })}`, { method: 'POST', body, signal })) as CheckResult;
  return result.matches ?? [];
}

export async function compare(a: Compared, b: Compared, signal?: Signal): Promise<Comparison> {
  const body = { a, b, max_parts: 2000, max_part_bytes: 20_000 };
  return (await requestJson('/v1/compare', { method: 'POST', body, signal })) as Comparison;
}

export async function getChanges(since: number, limit: number, signal?: Signal): Promise<Change[]> {
  return ((await requestJson(`/v1/changes${query({ since, limit })}`, { signal })) as { changes: Change[] }).changes;
}

export async function getDecisions(signal?: Signal): Promise<Decision[]> {
  const all: Decision[] = [];
  let after: string | number = '';
  for (;;) {
    const path: string = `/v1/decisions${query({ limit: 1000, after })}`;
    const page = (await requestJson(path, { signal })) as { decisions: Decision[]; next: string | null };
    all.push(...page.decisions);
    if (page.next === null || page.decisions.length === 0) return all;
    after = page.next;
  }
}

export async function decide(decision: NewDecision): Promise<number> {
  return ((await requestJson('/v1/decisions', { method: 'POST', body: decision })) as { id: number }).id;
}

export async function withdraw(decision: number): Promise<void> {
  await requestJson(`/v1/decisions/${decision}`, { method: 'DELETE' });
}
