import { createHash, createHmac } from 'node:crypto';
import { type Client, RUNNER_PROTOCOL, runners_declare, signedProtocol } from '@mooring/contract';
import type { Device } from '../device-tests/adapters/adapter.ts';
import type { RunnerOptions } from '../options.ts';
import { findLabels, type Tool } from '../tools/tools.ts';
import { retry } from './retry.ts';

interface Status {
  devices: readonly Device[];
  /** The reason why the runner accepts no jobs. */
  problem: string | undefined;
  isStarted?: boolean;
}

/**
 * Returns a function that declares the capabilities of this runner to the server. Both sides sign the protocol version with the
 * token of the runner, so that a runner never works for another server.
 */
export function createDeclaration(call: Client, options: RunnerOptions, tools: readonly Tool[]) {
  const { state, slots, version, signal } = options;
  const key = createHash('sha256').update(state.token).digest('base64url');
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  return async ({ devices, problem, isStarted = false }: Status): Promise<void> => {
    const headers = { 'x-runner-token': state.token };
    const body = {
      signature: sign(signedProtocol('runner', { protocol: RUNNER_PROTOCOL, about: version })),
      protocol: RUNNER_PROTOCOL,
      version,
      labels: [...new Set([...findLabels(), ...options.labels])],
      tools: [...tools],
      slots,
      devices: [...devices],
      ...(isStarted ? { is_started: true } : {}),
      ...(problem ? { trouble: problem } : {}),
    };
    const response = await retry(() => call(runners_declare, { headers, body }), signal);
    const expected = sign(signedProtocol('server', { protocol: response.protocol ?? 0, about: state.id }));
    if (response.signature !== expected) {
      throw new Error(
        `${state.server} could not prove its identity: its signature doesn't match the token of this runner. Check the address, or register the runner again.`,
      );
    }
  };
}
