import type { Mutation } from './mutations.ts';

/** A mutation with its number. */
export interface Mutant extends Mutation {
  id: number;
  file: string;
}

/** Checks whether a mutant is active, and records that a test has reached it. Child processes of a test have no mutants. */
const isOn = (id: number): string => `globalThis.__mutant?.(${id})`;

function wrap(mutants: readonly Mutant[], original: string): string {
  const [first] = mutants;
  if (first?.isStatement) {
    const switches = mutants.map(({ id, after }) => `if (${isOn(id)}) { ${after} } else `).join('');
    return `{ ${switches}{ ${original} } }`;
  }
  const choices = mutants.map(({ id, after }) => `${isOn(id)} ? (${after}) : `).join('');
  return `(${choices}(${original}))`;
}

/** Returns the source with all mutants, inactive. */
export function instrument(source: string, mutants: readonly Mutant[]): string {
  const bytes = Buffer.from(source);
  const bySpan = new Map<string, Mutant[]>();
  for (const mutant of mutants) {
    const key = `${mutant.start}-${mutant.end}-${mutant.isStatement}`;
    bySpan.set(key, [...(bySpan.get(key) ?? []), mutant]);
  }
  // Outer mutants first; of two at the same place, the statement contains the expression.
  const sites = [...bySpan.values()].sort(
    ([a], [b]) =>
      (a?.start ?? 0) - (b?.start ?? 0) ||
      (b?.end ?? 0) - (a?.end ?? 0) ||
      Number(b?.isStatement) - Number(a?.isStatement),
  );
  let next = 0;
  const emit = (from: number, to: number): string => {
    let out = '';
    let at = from;
    for (;;) {
      const site = sites[next];
      const first = site?.[0];
      if (!site || !first || first.start >= to) return out + bytes.toString('utf8', at, to);
      next += 1;
      out += bytes.toString('utf8', at, first.start) + wrap(site, emit(first.start, first.end));
      at = first.end;
    }
  };
  return emit(0, bytes.length);
}
