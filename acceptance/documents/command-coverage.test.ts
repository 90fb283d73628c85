import { expect, test } from 'vitest';
import { notRun } from '../clients/appcenter-cli/all-commands.ts';
import { commandProofs } from './command-coverage.ts';

test('each of the 73 commands that call a server is run by a test, or has a reason why not', () => {
  expect(commandProofs).toHaveLength(73);
  expect(commandProofs.filter(({ by, shown }) => !by && !shown)).toEqual([]);
});

test('a command that is run has no such reason', () => {
  const run = commandProofs.filter(({ by }) => by).map(({ command }) => command);
  expect(run.length).toBeGreaterThan(60);
  expect(Object.keys(notRun).filter((command) => run.includes(command))).toEqual([]);
  expect(Object.keys(notRun).filter((command) => !commandProofs.some((proof) => proof.command === command))).toEqual(
    [],
  );
});
