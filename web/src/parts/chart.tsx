// A small line chart of the last minutes. uPlot draws it; the newest values also stand beside it as text.
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface Series {
  label: string;
  values: (number | null)[];
  dashed?: boolean;
}

interface Properties {
  title: string;
  times: number[]; // seconds
  series: Series[];
  format: (value: number) => string;
  windowSeconds: number;
  logarithmic?: boolean;
}

// Whole powers of ten around the values.
function decades(_plot: uPlot, least: number | null, most: number | null): uPlot.Range.MinMax {
  if (least === null || most === null || least <= 0) return [1e-4, 1e-1];
  const low = Math.floor(Math.log10(least));
  return [10 ** low, 10 ** Math.max(Math.ceil(Math.log10(most)), low + 1)];
}

// Canvas needs colours as they are computed for the theme in use.
function computed(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

// On a logarithmic scale only powers of ten have a line.
function powersOfTen(_plot: uPlot, splits: number[]): (number | null)[] {
  return splits.map((value) => (Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9 ? value : null));
}

function clock(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
}

function options(box: HTMLElement, properties: Properties): uPlot.Options {
  const [text, line, accent] = ['--text-quiet', '--line', '--accent'].map((name) => computed(box, name)) as [string, string, string];
  const font = '11px system-ui, sans-serif';
  const axis: uPlot.Axis = { stroke: text, font, grid: { stroke: line, width: 1 }, ticks: { show: false } };
  const sparse = properties.logarithmic === true ? { filter: powersOfTen, grid: { ...axis.grid, filter: powersOfTen } } : {};
  return {
    width: Math.max(box.clientWidth, 200),
    height: 150,
    cursor: { show: false },
    legend: { show: false },
    padding: [8, 28, 0, 0],
    scales: {
      x: { time: true, range: (_plot, _least, most) => [most - properties.windowSeconds, most] },
      y: properties.logarithmic === true ? { distr: 3, range: decades } : { range: (_plot, _least, most) => [0, most > 0 ? most * 1.15 : 1] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: 70, size: 26, values: (_plot, values) => values.map(clock) },
      { ...axis, ...sparse, size: 62, space: 24, values: (_plot, values) => values.map((value) => (value === null ? '' : properties.format(value))) },
    ],
    series: [
      {},
      ...properties.series.map((entry) => ({
        stroke: accent,
        width: entry.dashed ? 1 : 1.75,
        points: { show: false },
        spanGaps: false,
        ...(entry.dashed ? { dash: [4, 3] } : {}),
      })),
    ],
  };
}

export function Chart(properties: Properties): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const data = [properties.times, ...properties.series.map((entry) => entry.values)] as uPlot.AlignedData;
  const latest = useRef({ properties, data });
  latest.current = { properties, data };

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(options(element, latest.current.properties), latest.current.data, element);
    };
    draw();
    const resized = new ResizeObserver(() => {
      if (plot.current !== null && plot.current.width !== element.clientWidth) draw();
    });
    resized.observe(element);
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      theme.disconnect();
      dark.removeEventListener('change', draw);
      plot.current?.destroy();
      plot.current = null;
    };
  }, []);
  useEffect(() => {
    plot.current?.setData(data);
  }, [properties.times]);

  const newest = properties.series.map((entry) => ({ ...entry, value: entry.values.at(-1) ?? null }));
  const words = newest.map((entry) => `${entry.label} ${entry.value === null ? 'none' : properties.format(entry.value)}`);
  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-title">{properties.title}</span>
        {newest.map((entry) => (
          <span class="chart-value">
            <svg class="chart-line" viewBox="0 0 16 4" aria-hidden="true">
              <line x1="0" x2="16" y1="2" y2="2" class={entry.dashed ? 'dashed' : ''} />
            </svg>
            {entry.label} <b>{entry.value === null ? '–' : properties.format(entry.value)}</b>
          </span>
        ))}
      </figcaption>
      <div ref={box} class="chart-box" role="img" aria-label={`${properties.title}: ${words.join(', ')}`} />
    </figure>
  );
}
