import { send } from '../../harness/http.ts';

/** An app for Sentry SDKs, and the address that they send to. */
export async function createApp(origin: string, token: string): Promise<{ id: string; home: string; url: string }> {
  const body = { display_name: 'Noise', os: 'Android', platform: 'Java' };
  const made = await send('POST', `${origin}/v0.1/apps`, { token, body });
  const { id, name, owner } = made.json<{ id: string; name: string; owner: { name: string } }>();
  const home = `${origin}/v0.1/apps/${owner.name}/${name}`;
  const { project_id, public_key } = (await send('GET', `${home}/sentry`, { token })).json<{
    project_id: number;
    public_key: string;
  }>();
  return { id, home, url: `${origin}/api/${project_id}/envelope/?sentry_key=${public_key}` };
}

const hexId = (number: number): string => number.toString(16).padStart(32, '0');

/** An envelope with one item of each kind that is stored. The number makes the IDs; large ones are of a known user. */
export function soundEnvelope(number: number): Buffer {
  const now = new Date().toISOString();
  const event_id = hexId(number);
  const event = {
    event_id,
    timestamp: now,
    platform: 'native',
    release: 'shop@1.0+1',
    user: { id: number >= 1e9 ? 'control' : `user ${number % 100}` },
    contexts: { device: { model: 'x', id: hexId(number % 100) }, os: { name: 'Android' } },
    tags: [['plan', 'pro']],
    fingerprint: ['{{ default }}', 'x'],
    breadcrumbs: { values: [{ timestamp: now, category: 'ui', message: 'Pay' }] },
    exception: {
      values: [
        {
          type: 'SIGSEGV',
          mechanism: {
            type: 'signalhandler',
            handled: false,
            exception_id: 0,
            meta: { signal: { number: 11, name: 'SIGSEGV' } },
          },
          stacktrace: {
            frames: [
              { instruction_addr: '0x1010', function: 'main', package: '/app' },
              { module: 'a.B', function: 'c', lineno: 1 },
            ],
          },
        },
      ],
    },
    debug_meta: {
      images: [
        { type: 'elf', image_addr: '0x1000', image_size: 4096, debug_id: '2979beff-ad1b-b8cd-307a-0102030405ff' },
      ],
    },
    threads: { values: [{ id: 1, crashed: true, stacktrace: { frames: [] } }] },
  };
  const session = {
    sid: event_id,
    did: hexId(number % 100),
    started: now,
    status: 'crashed',
    attrs: { release: 'shop@1.0+1' },
  };
  const aggregates = [{ started: now, exited: 3, crashed: 1 }];
  const lines = [
    { event_id, sent_at: now },
    { type: 'event' },
    event,
    { type: 'session' },
    session,
    { type: 'sessions' },
    { attrs: { release: 'shop@1.0' }, aggregates },
    { type: 'log', item_count: 1 },
    {
      version: 2,
      items: [{ timestamp: now, level: 'info', body: 'Pay', attributes: { plan: { value: 'pro', type: 'string' } } }],
    },
    { type: 'client_report' },
    { discarded_events: [{ reason: 'r', category: 'c', quantity: 1 }] },
    { type: 'attachment', filename: 'a', length: 5 },
  ];
  return Buffer.from(
    lines
      .map((line) => JSON.stringify(line))
      .join('\n')
      .concat('\nhello\n'),
  );
}
