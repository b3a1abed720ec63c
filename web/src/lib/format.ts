// How are numbers, sizes, scores and times written for people?

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

export function count(value: number): string {
  return whole.format(value);
}

export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

export function percent(part: number, all: number): string {
  if (all === 0) return '–';
  const share = (100 * part) / all;
  return `${share >= 10 || share === 0 ? share.toFixed(0) : share.toFixed(1)}%`;
}

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${short.format(value)} ${units[unit]}`;
}

const wholeMeasures = new Set(['overlap', 'edit', 'hamming']);

export function score(measure: string, value: number): string {
  return wholeMeasures.has(measure) ? count(value) : value.toFixed(4);
}

export function isDistance(measure: string): boolean {
  return measure === 'edit' || measure === 'hamming';
}

// "jaccard ≥ 0.8", "hamming ≤ 3"
export function criterion(measure: string, threshold: string | null): string {
  return threshold === null ? measure : `${measure} ${isDistance(measure) ? '≤' : '≥'} ${threshold}`;
}

export function rate(perSecond: number): string {
  return perSecond < 100 ? short.format(perSecond) : count(perSecond);
}

export function duration(seconds: number): string {
  if (seconds < 0.001) return `${short.format(seconds * 1e6)} µs`;
  if (seconds < 1) return `${short.format(seconds * 1e3)} ms`;
  return `${short.format(seconds)} s`;
}

// "3 d 4 h", "2 h 5 min", "40 s"
export function uptime(seconds: number): string {
  const units: [string, number][] = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ];
  const first = units.findIndex(([, size]) => seconds >= size || size === 1);
  const parts = units.slice(first, first + 2);
  let left = Math.floor(seconds);
  return parts
    .map(([name, size]) => {
      const whole = Math.floor(left / size);
      left -= whole * size;
      return `${whole} ${name}`;
    })
    .join(' ');
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: '2-digit', day: '2-digit' });

export function time(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const today = date.toDateString() === new Date().toDateString();
  return today ? clock.format(date) : `${day.format(date)} ${clock.format(date)}`;
}
