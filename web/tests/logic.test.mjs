// Functions of values: what needs neither a browser nor a service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withModules } from './modules.mjs';

const modules = await withModules(async (load) => ({
  text: await load('/src/lib/text.ts'),
  rows: await load('/src/lib/diff_rows.ts'),
  metrics: await load('/src/lib/metrics.ts'),
  format: await load('/src/lib/format.ts'),
  sizes: await load('/src/lib/sizes.ts'),
  router: await load('/src/router.ts'),
  model: await load('/src/review/model.ts'),
}));

const equal = (text) => ({ op: 'equal', a_words: text.split(' ').length, b_words: text.split(' ').length, a: text, b: text });
const replaced = (a, b) => ({ op: 'replaced', a_words: 1, b_words: 1, a, b });

test('characters that cannot be seen are named, all others stay', () => {
  const { pieces } = modules.text;
  assert.deepEqual(pieces('plain\ttext\n'), [{ text: 'plain\ttext\n', hidden: false }]);
  assert.deepEqual(pieces('a\u202eb'), [
    { text: 'a', hidden: false },
    { text: 'U+202E', hidden: true },
    { text: 'b', hidden: false },
  ]);
  assert.deepEqual(pieces('\u0000').at(0), { text: 'U+0000', hidden: true });
  assert.equal(pieces('line\r\nend').length, 1);
  assert.equal(pieces('نمی‌شود 👩‍🚀').length, 1, 'joiners belong to scripts and emoji');
});

test('no cut leaves half of a surrogate pair', () => {
  const { cut, head, tail } = modules.text;
  const text = '😀'.repeat(300);
  for (let length = 1; length < 40; length += 1) {
    for (const part of [cut(text, length), head(text, length), tail(text, length)]) {
      assert.equal(part, part.toWellFormed?.() ?? part);
      assert.ok(text.includes(part));
    }
  }
});

test('the rows and folds of a diff contain every changed word once and in order', () => {
  const { diffRows } = modules.rows;
  const random = (limit) => Math.floor(Math.random() * limit);
  for (let round = 0; round < 300; round += 1) {
    const parts = Array.from({ length: random(12) }, (_, place) =>
      place % 2 === 0 ? equal('some words '.repeat(1 + random(80))) : replaced(`left${place} `, `right${place}\n`),
    );
    const rows = diffRows(parts);
    const changed = rows.flatMap((row) => (row.kind === 'row' ? row.parts.filter((part) => part.op !== 'equal') : []));
    assert.deepEqual(changed, parts.filter((part) => part.op !== 'equal'));
    for (const row of rows.filter((entry) => entry.kind === 'fold')) {
      assert.ok(parts.some((part) => part.op === 'equal' && part.a === row.a && part.a_words === row.words));
    }
  }
});

test('a passage that the service shortened shows no end', () => {
  const { diffRows } = modules.rows;
  const rows = diffRows([equal(`${'word '.repeat(200)}…`), replaced('x', 'y')]);
  assert.deepEqual(rows.map((row) => row.kind), ['fold', 'row']);
  assert.equal(rows[1].parts.length, 1);
});

test('rate and quantiles come from the difference of two readings', () => {
  const { readMetrics, load } = modules.metrics;
  const reading = (count, fast, slow, time) =>
    readMetrics(
      [
        '# HELP neardup_http_requests_total Requests',
        `neardup_http_requests_total{route="/v1/check",method="POST",status="200"} ${count}`,
        'neardup_http_requests_total{route="/v1/stats",method="GET",status="200"} 99999',
        `neardup_http_request_duration_seconds_bucket{route="/v1/check",method="POST",le="0.001"} ${fast}`,
        `neardup_http_request_duration_seconds_bucket{route="/v1/check",method="POST",le="0.01"} ${slow}`,
        `neardup_http_request_duration_seconds_bucket{route="/v1/check",method="POST",le="+Inf"} ${slow}`,
      ].join('\n'),
      time,
    );
  const now = load(reading(1000, 1000, 1000, 10), reading(1200, 1100, 1200, 12));
  assert.equal(now.rate, 100);
  assert.equal(now.median, 0.001);
  assert.ok(Math.abs(now.p99 - (0.001 + 0.009 * 0.98)) < 1e-12);
  const idle = load(reading(5, 5, 5, 1), reading(5, 5, 5, 2));
  assert.deepEqual([idle.rate, idle.median, idle.p99], [0, null, null]);
  assert.equal(load(reading(5, 5, 5, 1), reading(0, 0, 0, 2)).rate, 0, 'a restarted service counts from zero');
});

test('numbers are written for people', () => {
  const { count, bytes, percent, score, uptime, criterion } = modules.format;
  assert.equal(count(1234567), '1,234,567');
  assert.equal(bytes(999), '999 B');
  assert.equal(bytes(1_920_000), '1.92 MB');
  assert.equal(percent(1, 3), '33%');
  assert.equal(percent(0, 0), '–');
  assert.equal(score('jaccard', 0.8), '0.8000');
  assert.equal(score('hamming', 3), '3');
  assert.equal(criterion('hamming', '3'), 'hamming ≤ 3');
  assert.deepEqual([0, 59, 60, 3723, 90_000].map(uptime), ['0 s', '59 s', '1 min 0 s', '1 h 2 min', '1 d 1 h']);
});

test('sizes are grouped by powers of two', () => {
  const { groupSizes } = modules.sizes;
  assert.deepEqual(groupSizes([2, 3, 4, 7, 16]), [
    { least: 2, most: 3, clusters: 2 },
    { least: 4, most: 7, clusters: 2 },
    { least: 8, most: 15, clusters: 0 },
    { least: 16, most: 31, clusters: 1 },
  ]);
});

test('every link is read back as the view it was made for', () => {
  const { links, readRoute } = modules.router;
  const read = (link) => {
    const address = new URL(link, 'http://localhost');
    return readRoute(address.pathname, address.search);
  };
  const key = 'https://example.org/a b?c=d&e=%2F#f..\u202e<script>';
  assert.deepEqual(read(links.document(key)), { view: 'document', key });
  assert.deepEqual(read(links.cluster('18446744073709551615', key, 'x')), { view: 'cluster', id: '18446744073709551615', member: key, other: 'x' });
  assert.deepEqual(read(links.clusters(5, 'to/ken', 3)), { view: 'clusters', minimum: 5, after: 'to/ken', page: 3 });
  assert.deepEqual(read(links.review('7')), { view: 'review', cluster: '7' });
  for (const path of ['/nothing', '/clusters/abc', '/clusters/1/2', '/review/-1', '//evil.example']) {
    assert.equal(readRoute(path, '').view, 'missing', path);
  }
});

const member = (id, score, sequence = 0) => ({ id, score, sequence, kept: id === 'kept' });
const cluster = { id: '1', documents: 4, kept: 'kept', next: null, members: [member('kept', 1), member('near', 0.99), member('far', 0.81), member('linked', null)] };
const decision = (id, kind, a, b) => ({ id, kind, a, b, author: '', note: '', time: '' });

test('what differs most comes first in a review', () => {
  const { reviewOrder } = modules.model;
  assert.deepEqual(reviewOrder(cluster, 'jaccard').map((entry) => entry.id), ['linked', 'far', 'near']);
  const codes = { ...cluster, members: [member('kept', 0), member('one', 1), member('three', 3)] };
  assert.deepEqual(reviewOrder(codes, 'hamming').map((entry) => entry.id), ['three', 'one']);
});

test('a split separates every marked document from every other one, and repeats no decision', () => {
  const { splitDecisions } = modules.model;
  const pairs = splitDecisions(cluster, new Set(['far', 'linked']), [decision(1, 'separate', 'kept', 'far')]);
  assert.deepEqual(pairs.map(({ a, b }) => `${a} ${b}`), ['far near', 'linked kept', 'linked near']);
  assert.ok(pairs.every(({ kind }) => kind === 'separate'));
});

test('the newest decision on a pair counts, whichever way round it was made', () => {
  const { statusOf, acceptDecisions } = modules.model;
  const decisions = [decision(1, 'same', 'kept', 'far'), decision(2, 'separate', 'far', 'kept'), decision(3, 'note', 'near', null)];
  assert.equal(statusOf(decisions, 'kept', 'far'), 'separate');
  assert.equal(statusOf(decisions, 'kept', 'near'), null);
  assert.deepEqual(acceptDecisions(cluster, decisions).map(({ b }) => b), ['near', 'linked']);
});

test('exported decisions are one JSON object a line', () => {
  const { asJsonLines } = modules.model;
  const decisions = [decision(1, 'same', 'a\nb', 'c'), decision(2, 'keep', 'd', null)];
  const lines = asJsonLines(decisions).split('\n');
  assert.equal(lines.pop(), '');
  assert.deepEqual(lines.map((line) => JSON.parse(line)), decisions);
});
