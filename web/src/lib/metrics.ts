// How busy is the service? Reads the Prometheus text of /metrics twice and compares.

export interface Histogram {
  bounds: number[]; // upper bounds in seconds, ascending; the last one is infinite
  counts: number[]; // cumulative
}

export interface Sample {
  time: number; // seconds
  requests: number;
  latency: Histogram;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

// Requests with documents are the load. Others come from this page and from probes.
const documentRoutes = new Set(['/v1/check', '/v1/add', '/v1/check-or-add', '/v1/bulk', '/v1/remove']);
const requests = 'neardup_http_requests_total';
const buckets = 'neardup_http_request_duration_seconds_bucket';

export function readMetrics(text: string, time: number): Sample {
  const sample: Sample = { time, requests: 0, latency: { bounds: [], counts: [] } };
  const byBound = new Map<number, number>();
  for (const row of text.split('\n')) {
    const match = line.exec(row);
    if (match === null) continue;
    const [, name, labelText = '', number = ''] = match;
    if (name !== requests && name !== buckets) continue;
    const labels = new Map(Array.from(labelText.matchAll(label), (found) => [found[1] ?? '', found[2] ?? '']));
    if (!documentRoutes.has(labels.get('route') ?? '')) continue;
    if (name === requests) {
      sample.requests += Number(number);
    } else {
      const bound = labels.get('le') === '+Inf' ? Infinity : Number(labels.get('le'));
      byBound.set(bound, (byBound.get(bound) ?? 0) + Number(number));
    }
  }
  sample.latency.bounds = [...byBound.keys()].sort((a, b) => a - b);
  sample.latency.counts = sample.latency.bounds.map((bound) => byBound.get(bound) ?? 0);
  return sample;
}

export interface Load {
  time: number;
  rate: number; // requests per second
  median: number | null; // seconds; null: no requests
  p99: number | null;
}

// Interpolates within a bucket, as Prometheus does. Above the last finite bound the answer is that bound.
export function quantile(histogram: Histogram, share: number): number | null {
  const { bounds, counts } = histogram;
  const total = counts.at(-1) ?? 0;
  if (total <= 0) return null;
  const wanted = share * total;
  const place = counts.findIndex((count) => count >= wanted);
  const below = place > 0 ? (bounds[place - 1] ?? 0) : 0;
  const bound = bounds[place] ?? below;
  if (!Number.isFinite(bound)) return below;
  const before = place > 0 ? (counts[place - 1] ?? 0) : 0;
  const inside = (counts[place] ?? 0) - before;
  return inside === 0 ? bound : below + ((bound - below) * (wanted - before)) / inside;
}

export function load(before: Sample, now: Sample): Load {
  const seconds = Math.max(now.time - before.time, 0.001);
  // A restarted service counts from zero.
  const answered = Math.max(now.requests - before.requests, 0);
  const latency = {
    bounds: now.latency.bounds,
    counts: now.latency.counts.map((value, place) => Math.max(value - (before.latency.counts[place] ?? 0), 0)),
  };
  return { time: now.time, rate: answered / seconds, median: quantile(latency, 0.5), p99: quantile(latency, 0.99) };
}
