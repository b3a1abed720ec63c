// Every measure of one pair; the one that decides is marked.
import type { JSX } from 'preact';
import type { Comparison, MeasureScore } from '../api/types';
import { count, isDistance, score } from '../lib/format';
import { Plain } from './plain';

const meanings: Record<string, string> = {
  jaccard: 'shared / all features',
  cosine: 'shared / √(a·b)',
  dice: '2·shared / (a + b)',
  overlap: 'shared features',
  containment: 'shared / the smaller set',
  contained: 'shared / the left set',
  edit: 'characters to change',
  hamming: 'differing simhash bits',
};

function value(measure: string, entry: MeasureScore): string {
  if (entry.score !== null) return score(measure, entry.score);
  return entry.more_than === undefined ? '–' : `> ${count(entry.more_than)}`;
}

function relation(measure: string, answer: string): string {
  if (answer === 'unknown') return '?';
  return isDistance(measure) ? (answer === 'different' ? '>' : '≤') : answer === 'different' ? '<' : '≥';
}

export function Verdict({ comparison }: { comparison: Comparison }): JSX.Element {
  const { definition, verdict } = comparison;
  const decides = comparison.measures[definition.measure];
  const answer = verdict?.answer ?? 'unknown';
  const words = { 'near-duplicates': 'Near-duplicates', different: 'Different', unknown: 'Not decided' }[answer];
  return (
    <p class="verdict">
      <strong class={`verdict-${answer}`}>{words}</strong>{' '}
      <span class="quiet">
        {definition.measure} {decides === undefined ? '–' : value(definition.measure, decides)}
        {definition.threshold !== null && ` ${relation(definition.measure, answer)} ${definition.threshold}`} on {definition.features}
      </span>
    </p>
  );
}

export function Measures({ comparison }: { comparison: Comparison }): JSX.Element {
  const decides = comparison.definition.measure;
  return (
    <div class="scroll">
      <table class="measures">
        <caption class="hidden">Scores of this pair by every measure</caption>
        <thead>
          <tr>
            <th scope="col">Measure</th>
            <th scope="col" class="number">
              Score
            </th>
            <th scope="col">Exactly</th>
            <th scope="col">Meets thresholds</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(comparison.measures).map(([measure, entry]) => (
            <tr class={measure === decides ? 'decides' : ''}>
              <th scope="row">
                {measure} {measure === decides && <span class="tag">decides</span>}
                <span class="quiet"> {meanings[measure] ?? ''}</span>
              </th>
              <td class="number">{value(measure, entry)}</td>
              <td class="quiet">{entry.why_not !== undefined ? <Plain text={entry.why_not} /> : (entry.exact ?? '')}</td>
              <td class="quiet">
                {entry.passes === null ? 'none' : `${isDistance(measure) ? '≥' : '≤'} ${entry.passes}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
