// What the service answers (openapi.json), as far as the page reads it.

// How two documents were compared.
export interface Definition {
  features: string;
  measure: string;
  threshold: string | null;
}

export interface Stats {
  documents: number;
  without_features: number;
  units: number;
  clusters: number;
  clustered: number;
  kept: number;
  segments: number;
  recent: number;
  truth_bytes: number;
  segment_bytes: number;
  memory_bytes: number;
  last_change: number;
  recall: number | null;
  definition: Definition & { finder: string; clusters: string; keep: string[]; store_texts: boolean };
  fields: string[];
  writable: boolean;
  durability: string;
  version: string;
  uptime_seconds: number;
}

export interface ClusterSummary {
  id: string;
  documents: number;
  kept: string;
}

export interface ClustersPage {
  clusters: ClusterSummary[];
  next: string | null;
}

export interface ClusterMember {
  id: string;
  sequence: number;
  kept: boolean;
  score: number | null; // with the kept document; null: only other documents link the two
}

export interface Cluster extends ClusterSummary {
  members: ClusterMember[];
  next: string | null;
}

export interface StoredDocument {
  id: string;
  sequence: number;
  cluster: string;
  kept: boolean;
  text: string | null;
  text_bytes: number;
  fields: Record<string, string | null>;
  fingerprint: string | null;
  features: number;
}

export interface Match {
  id: string;
  score: number;
  cluster: string;
  evidence: 'features' | 'simhash';
}

export interface CheckResult {
  duplicate: boolean;
  match: Match | null;
  matches?: Match[];
}

export type DecisionKind = 'separate' | 'same' | 'keep' | 'note';

export interface NewDecision {
  kind: DecisionKind;
  a: string;
  b?: string;
  author?: string;
  note?: string;
}

export interface Decision {
  id: number;
  kind: DecisionKind;
  a: string;
  b: string | null;
  author: string;
  note: string;
  time: string;
}

export interface Change {
  token: number;
  time: string;
  kind: 'joined' | 'left' | 'merged' | 'split' | 'kept' | 'dissolved';
  cluster: string;
  other: string | null;
  document: string | null;
  reason: string;
}

// A document to compare: a stored one, or a text.
export type Compared = { id: string } | { text: string };

export interface ComparedText {
  id: string;
  bytes: number;
  code_points: number;
  words: number;
  features: number;
  simhash: string;
}

export interface MeasureScore {
  score: number | null;
  exact: string | null;
  passes: string | null;
  more_than?: number;
  why_not?: string;
}

export interface DifferingBit {
  bit: number;
  a: number;
  b: number;
}

export interface ShownFeature {
  text: string;
  a: number;
  b: number;
}

export interface DiffPart {
  op: 'equal' | 'removed' | 'added' | 'replaced';
  a_words: number;
  b_words: number;
  a: string;
  b: string;
}

export interface WordDiff {
  equal_words: number;
  removed_words: number;
  added_words: number;
  shortest: boolean;
  parts_left_out: number;
  parts: DiffPart[];
}

export interface Comparison {
  a: ComparedText;
  b: ComparedText;
  definition: Definition;
  verdict: { answer: 'near-duplicates' | 'different' | 'unknown'; shared_needed?: number; lengths_agree: boolean } | null;
  shared_features: number;
  measures: Record<string, MeasureScore>;
  differing_bits: DifferingBit[];
  features: { shared: ShownFeature[]; only_a: ShownFeature[]; only_b: ShownFeature[] };
  diff: WordDiff | null;
}
