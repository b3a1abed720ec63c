// The two simhashes of a pair: 64 bits, those that differ, and how far each is from flipping.
import type { JSX } from 'preact';
import type { Comparison, DifferingBit } from '../api/types';
import { counted } from '../lib/format';

function bitsOf(hex: string): boolean[] {
  if (!/^[0-9a-f]{16}$/.test(hex)) return [];
  const value = BigInt(`0x${hex}`);
  return Array.from({ length: 64 }, (_, bit) => ((value >> BigInt(bit)) & 1n) === 1n);
}

function Strip({ name, hex, differing }: { name: string; hex: string; differing: Set<number> }): JSX.Element {
  const bits = bitsOf(hex);
  return (
    <div class="bits-line">
      <span class="bits-name">{name}</span>
      <code>{hex}</code>
      <div class="bits-strip" role="img" aria-label={`Simhash ${name}: ${hex}`}>
        {bits.map((_, place) => {
          const bit = 63 - place; // the highest bit first, as in the hexadecimal form
          return <span class={`${bits[bit] ? 'one' : 'zero'}${differing.has(bit) ? ' differs' : ''}`} title={`bit ${bit}`} />;
        })}
      </div>
    </div>
  );
}

// A weight as a bar to the left (bit 0) or to the right (bit 1) of the middle.
function Weight({ sum, largest }: { sum: number; largest: number }): JSX.Element {
  const width = largest === 0 ? 0 : (50 * Math.abs(sum)) / largest;
  return (
    <span class="weight">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class={sum < 0 ? 'below' : 'above'} x={sum < 0 ? 50 - width : 50} y="0" width={Math.max(width, 0.6)} height="8" />
        <line x1="50" x2="50" y1="0" y2="8" />
      </svg>
      <span class="number">{sum > 0 ? `+${sum}` : String(sum).replace('-', '−')}</span>
    </span>
  );
}

export function Bits({ comparison }: { comparison: Comparison }): JSX.Element | null {
  const { a, b, differing_bits: bits } = comparison;
  if (a.simhash === '-' || b.simhash === '-') return null;
  const differing = new Set(bits.map((entry) => entry.bit));
  const largest = Math.max(1, ...bits.flatMap((entry) => [Math.abs(entry.a), Math.abs(entry.b)]));
  const gap = (entry: DifferingBit): number => Math.abs(entry.a) + Math.abs(entry.b);
  const ordered = [...bits].sort((x, y) => gap(y) - gap(x));
  return (
    <section class="bits" aria-label="Simhash bits">
      <p class="quiet">
        {bits.length === 0 ? 'The simhashes are equal.' : `${counted(bits.length, 'bit differs', 'bits differ')} out of 64.`}
      </p>
      <Strip name="left" hex={a.simhash} differing={differing} />
      <Strip name="right" hex={b.simhash} differing={differing} />
      {bits.length > 0 && (
        <div class="scroll">
          <table class="weights">
            <caption>Weights of the differing bits. The closer to zero, the more easily a bit flips.</caption>
            <thead>
              <tr>
                <th scope="col" class="number">
                  Bit
                </th>
                <th scope="col">Left</th>
                <th scope="col">Right</th>
              </tr>
            </thead>
            <tbody>
              {ordered.map((entry) => (
                <tr>
                  <th scope="row" class="number">
                    {entry.bit}
                  </th>
                  <td>
                    <Weight sum={entry.a} largest={largest} />
                  </td>
                  <td>
                    <Weight sum={entry.b} largest={largest} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
