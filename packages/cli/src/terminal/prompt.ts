import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure, wrongUsage } from '../framework/errors.ts';

export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Prompts on stderr, so that stdout holds results only. Secrets are not echoed. */
export function prompt(question: string, { secret = false } = {}): Promise<string> {
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, output: muted, terminal: secret, historySize: 0 });
  return new Promise((resolve, reject) => {
    lines.once('line', (reply) => {
      resolve(reply);
      lines.close();
    });
    lines.once('close', () => {
      if (secret) process.stderr.write('\n');
      reject(new Failure('Canceled.'));
    });
  });
}

/** Asks for confirmation before an action that can't be undone. Scripts, which have no terminal, are not asked. */
export async function confirm(question: string): Promise<void> {
  if (!isInteractive()) return;
  const reply = await prompt(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(reply.trim()))
    throw new Failure('Canceled: nothing was changed.', { advice: 'Answer y to continue.' });
}

/** Reads a new password from stdin, or twice from the terminal. */
export async function readNewPassword(fromStdin: boolean): Promise<string> {
  if (fromStdin) return readStdin('password');
  if (!isInteractive()) throw wrongUsage("Can't ask for a password without a terminal.", 'Use --password-stdin.');
  const password = await prompt('New password: ', { secret: true });
  if ((await prompt('Repeat the password: ', { secret: true })) !== password)
    throw wrongUsage('The passwords differ. Try again.');
  return password;
}

/** Reads stdin without the line end that `echo` adds. */
export async function readStdin(name: string): Promise<string> {
  const value = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!value) throw wrongUsage(`Stdin is empty: it must contain the ${name}.`);
  return value;
}
