import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure, wrongUsage } from './runner/errors.ts';

export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks on the terminal, on stderr so that stdout stays for results; a secret is not echoed. */
export function ask(question: string, { secret = false } = {}): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, output: silence, terminal: secret, historySize: 0 });
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

/** What is piped in, without the line end that `echo` adds. */
export async function readStdin(what: string): Promise<string> {
  const value = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!value) throw wrongUsage(`There is no ${what} on stdin.`);
  return value;
}
