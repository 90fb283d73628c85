import type { Plan, Work } from './stage.ts';

/** Runs commands in order. */
export const planCustom = ({ toolsets: { custom = {} } }: Work): Plan => ({
  folder: '.',
  restore: [],
  build: (custom.commands ?? []).map((line) => ({
    title: `Build: ${line.split('\n')[0]?.slice(0, 60)}`,
    command: ['bash', '-e', '-c', line],
    folder: '.',
  })),
  artifacts: [
    ...(custom.artifacts ? [{ kind: 'build' as const, patterns: custom.artifacts }] : []),
    ...(custom.symbols ? [{ kind: 'symbols' as const, patterns: custom.symbols }] : []),
  ],
  variables: {},
});
