import { readFileSync } from 'node:fs';
import path from 'node:path';
import { notRun, serverCommands } from '../acceptance/clients/appcenter-cli/all-commands.ts';
import { commands } from '../acceptance/clients/appcenter-cli/commands.ts';

/** Which test has run each command of appcenter-cli that asks a server, read from the tests themselves. */

const folder = path.join(import.meta.dirname, '../acceptance/clients/appcenter-cli');
/** Suites of their own, each with the files that its lines are in. */
const suites = [
  ['builds.test.ts', 'building.ts'],
  ['tests.test.ts', 'tests.test.ts'],
  ['test-runs.test.ts', 'test-runs.test.ts'],
] as const;

/** The lines that are typed in a file. */
const linesOf = (file: string): string[] =>
  [...readFileSync(path.join(folder, file), 'utf8').matchAll(/\b(?:run|appcenter)\(\s*[`'"]([^`'"]+)/g)].map(
    ([, line = '']) => line,
  );

const isLineOf = (line: string, command: string): boolean => line === command || line.startsWith(`${command} `);
const suiteLines = suites.flatMap(([file, lines]) => linesOf(lines).map((line) => ({ file, line })));

export interface CommandProof {
  command: string;
  /** The file that runs it. */
  by?: string;
  /** What it comes to. */
  shown: string;
}

function proofOf(command: string): CommandProof {
  const proof = commands.find(({ name }) => isLineOf(name, command));
  if (proof) {
    const isWorking = proof.works.length > 0;
    const reason = proof.defects[0]?.defect?.here ?? proof.missing[0]?.missing ?? '';
    return { command, by: 'appcenter-cli.test.ts', shown: isWorking ? 'works' : `the client breaks it: ${reason}` };
  }
  const suite = suiteLines.find(({ line }) => isLineOf(line, command));
  if (suite) return { command, by: suite.file, shown: 'works' };
  return { command, shown: notRun[command] ?? '' };
}

export const commandProofs: CommandProof[] = serverCommands.map(proofOf);

export const commandTable = `| command | run by | what it shows |
|---|---|---|
${commandProofs
  .map(({ command, by, shown }) => `| \`${command}\` | ${by ? `\`${by}\`` : 'not run'} | ${shown} |`)
  .join('\n')}`;
