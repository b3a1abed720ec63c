// How large is the index, how busy is the service, and what happened last?
import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { getChanges, getMetrics, getStats } from '../api/calls';
import type { Stats } from '../api/types';
import { Changes } from '../parts/changes';
import { Chart } from '../parts/chart';
import { Page } from '../parts/page';
import { SizeBars } from '../parts/size_bars';
import { Empty, Failed, Loading } from '../parts/states';
import { bytes, count, counted, criterion, duration, percent, rate, uptime } from '../lib/format';
import { type Load, load, readMetrics, type Sample } from '../lib/metrics';
import { readSizes } from '../lib/sizes';
import { useCalm, useLoad, usePoll } from '../lib/use_load';

const pollMilliseconds = 2000;
const sizesMilliseconds = 30_000;
const windowSeconds = 180;
const changesShown = 12;

function Tile({ label, value, children }: { label: string; value: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="tile">
      <dt>{label}</dt>
      <dd class="tile-value">{value}</dd>
      {children !== undefined && <dd class="quiet">{children}</dd>}
    </div>
  );
}

function Tiles({ stats }: { stats: Stats }): JSX.Element {
  const redundant = stats.documents - stats.kept;
  return (
    <dl class="tiles">
      <Tile label="Documents" value={count(stats.documents)}>
        {counted(stats.units, 'distinct set')}
      </Tile>
      <Tile label="Clusters" value={count(stats.clusters)}>
        with {counted(stats.clustered, 'document')}
      </Tile>
      <Tile label="Redundant" value={percent(redundant, stats.documents)}>
        {counted(redundant, 'document')} not kept
      </Tile>
      <Tile label="On disk" value={bytes(stats.truth_bytes + stats.segment_bytes)}>
        {bytes(stats.segment_bytes)} in {counted(stats.segments, 'segment')}
      </Tile>
      <Tile label="Memory for search" value={bytes(stats.memory_bytes)}>
        {counted(stats.recent, 'recent set')}
      </Tile>
    </dl>
  );
}

function DefinitionLine({ stats }: { stats: Stats }): JSX.Element {
  const { definition } = stats;
  return (
    <p class="definition">
      Near-duplicates: <b>{criterion(definition.measure, definition.threshold)}</b> on <b>{definition.features}</b>. Finder{' '}
      <b>{definition.finder}</b>
      {stats.recall !== null && <> (recall {stats.recall.toFixed(3)}, measured)</>}, clusters <b>{definition.clusters}</b>, keep rule{' '}
      <b>{definition.keep.join(', ')}</b>.
      {!stats.writable && <strong class="warning"> Read-only: a write to disk failed. See the server's log.</strong>}
    </p>
  );
}

function useLive(): { stats: Stats | undefined; loads: Load[]; error: unknown } {
  const [stats, setStats] = useState<Stats>();
  const [error, setError] = useState<unknown>();
  const [loads, setLoads] = useState<Load[]>([]);
  const before = useRef<Sample | null>(null);
  usePoll(pollMilliseconds, async (signal) => {
    try {
      setStats(await getStats(signal));
      setError(undefined);
      const now = readMetrics(await getMetrics(signal), performance.timeOrigin / 1000 + performance.now() / 1000);
      const last = before.current;
      before.current = now;
      if (last !== null) {
        setLoads((old) => [...old, load(last, now)].filter((entry) => entry.time > now.time - windowSeconds));
      }
    } catch (problem) {
      if (!signal.aborted) setError(problem);
    }
  });
  return { stats, loads, error };
}

function Traffic({ loads }: { loads: Load[] }): JSX.Element {
  const times = loads.map((entry) => entry.time);
  return (
    <div class="charts">
      <Chart
        title="Requests with documents per second"
        times={times}
        series={[{ label: 'now', values: loads.map((entry) => entry.rate) }]}
        format={rate}
        windowSeconds={windowSeconds}
      />
      <Chart
        title="Latency of these requests"
        times={times}
        series={[
          { label: 'median', values: loads.map((entry) => entry.median) },
          { label: 'p99', values: loads.map((entry) => entry.p99), dashed: true },
        ]}
        format={duration}
        windowSeconds={windowSeconds}
        logarithmic
      />
    </div>
  );
}

export function Overview(): JSX.Element {
  const { stats, loads, error } = useLive();
  const change = useCalm(stats?.last_change, sizesMilliseconds); // reading sizes takes many requests
  const sizes = useLoad(change === undefined ? null : `sizes ${change}`, readSizes);
  const lastSizes = useRef(sizes.data);
  if (sizes.data !== undefined) lastSizes.current = sizes.data;
  const last = stats?.last_change ?? 0;
  const changes = useLoad(stats === undefined ? null : `changes ${last}`, (signal) =>
    getChanges(Math.max(last - changesShown, 0), changesShown, signal).then((list) => list.reverse()),
  );
  const lastChanges = useRef(changes.data);
  if (changes.data !== undefined) lastChanges.current = changes.data;

  if (stats === undefined) {
    return <Page title="Overview">{error === undefined ? <Loading what="statistics" /> : <Failed error={error} />}</Page>;
  }
  return (
    <Page title="Overview" aside={<span class="quiet">neardup {stats.version}, up {uptime(stats.uptime_seconds)}</span>}>
      {error !== undefined && <Failed error={error} />}
      <DefinitionLine stats={stats} />
      <Tiles stats={stats} />
      <Traffic loads={loads} />
      <div class="columns">
        <section>
          <h2>Cluster sizes</h2>
          {stats.clusters === 0 ? (
            <Empty title="No clusters yet">
              <p>No two documents of the index are near-duplicates.</p>
            </Empty>
          ) : lastSizes.current === undefined ? (
            sizes.error === undefined ? <Loading what="cluster sizes" /> : <Failed error={sizes.error} retry={sizes.reload} />
          ) : (
            <SizeBars sizes={lastSizes.current} />
          )}
        </section>
        <section>
          <h2>Newest changes</h2>
          {lastChanges.current === undefined ? (
            changes.error === undefined ? <Loading what="changes" /> : <Failed error={changes.error} retry={changes.reload} />
          ) : lastChanges.current.length === 0 ? (
            <Empty title="No changes yet">
              <p>Documents that join, merge or split clusters are listed here.</p>
            </Empty>
          ) : (
            <Changes changes={lastChanges.current} />
          )}
        </section>
      </div>
    </Page>
  );
}
