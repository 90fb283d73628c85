import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure, wrongUsage } from './framework/errors.ts';

export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks on the terminal, on stderr so that stdout stays for results; a secret is not echoed. */
export function ask(question: string, { secret = false } = {}): Promise<string> {
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, output: muted, terminal: secret, historySize: 0 });
  return new Promise((resolve, reject) => {
    lines.once('line', (answer) => {
      resolve(answer);
      lines.close();
    });
    lines.once('close', () => {
      if (secret) process.stderr.write('\n');
      reject(new Failure('Cancelled.'));
    });
  });
}

/** Asks before something that cannot be undone. Without a terminal nobody is there to ask: scripts mean what they say. */
export async function confirm(question: string): Promise<void> {
  if (!canAsk()) return;
  const answer = await ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('Nothing was changed.', { advice: 'Answer y to go on.' });
}

/** A new password, typed twice, or from stdin. */
export async function readNewPassword(fromStdin: boolean): Promise<string> {
  if (fromStdin) return readStdin('password');
  if (!canAsk()) throw wrongUsage('There is no terminal to ask for a password on.', 'Use --password-stdin.');
  const password = await ask('New password: ', { secret: true });
  if ((await ask('Once more: ', { secret: true })) !== password) throw wrongUsage('The two passwords differ.');
  return password;
}

/** What is piped in, without the line end that `echo` adds. */
export async function readStdin(what: string): Promise<string> {
  const value = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!value) throw wrongUsage(`There is no ${what} on stdin.`);
  return value;
}
