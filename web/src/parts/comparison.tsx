// Everything that is known about a pair: verdict, diff, measures, features, bits.
import type { ComponentChildren, JSX } from 'preact';
import type { ComparedText, Comparison, ShownFeature } from '../api/types';
import { count, counted } from '../lib/format';
import { Bits } from './bits';
import { Diff } from './diff';
import { Measures, Verdict } from './measures';
import { Plain } from './plain';

function Facts({ text, name }: { text: ComparedText; name: ComponentChildren }): JSX.Element {
  return (
    <div class="facts">
      <div class="facts-name">{name}</div>
      <div class="quiet">
        {counted(text.words, 'word')} · {counted(text.code_points, 'character')} · {counted(text.features, 'feature')}
      </div>
    </div>
  );
}

function FeatureList({ title, features }: { title: string; features: ShownFeature[] }): JSX.Element {
  return (
    <div>
      <h3>{title}</h3>
      {features.length === 0 ? (
        <p class="quiet">none</p>
      ) : (
        <ul class="features">
          {features.map((feature) => (
            <li>
              <bdi>
                <Plain text={feature.text} />
              </bdi>
              {Math.max(feature.a, feature.b) > 1 && <span class="quiet"> × {count(Math.max(feature.a, feature.b))}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface Properties {
  comparison: Comparison;
  left: ComponentChildren;
  right: ComponentChildren;
}

export function ComparisonPanel({ comparison, left, right }: Properties): JSX.Element {
  const { features } = comparison;
  return (
    <div class="comparison">
      <Verdict comparison={comparison} />
      <div class="facts-pair">
        <Facts text={comparison.a} name={left} />
        <Facts text={comparison.b} name={right} />
      </div>
      {comparison.diff === null ? (
        <p class="quiet">There is no word diff: a text is not stored.</p>
      ) : (
        <Diff diff={comparison.diff} />
      )}
      <h2>Measures</h2>
      <Measures comparison={comparison} />
      <details>
        <summary>
          Features: {count(comparison.shared_features)} shared, {count(comparison.a.features)} left, {count(comparison.b.features)} right
        </summary>
        <div class="feature-lists">
          <FeatureList title="Shared, the most frequent" features={features.shared} />
          <FeatureList title="Only on the left" features={features.only_a} />
          <FeatureList title="Only on the right" features={features.only_b} />
        </div>
      </details>
      <details open={comparison.definition.measure === 'hamming'}>
        <summary>Simhash bits and their weights</summary>
        <Bits comparison={comparison} />
      </details>
    </div>
  );
}
