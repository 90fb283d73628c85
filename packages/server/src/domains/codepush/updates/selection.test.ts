import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInRange, readVersion } from './binary-versions.ts';
import { getBucket, isInRollout } from './rollout.ts';
import { type Candidate, chooseUpdate, getDeviceDecision, type Running, type UpdateDecision } from './selection.ts';

interface Written {
  range?: string;
  hash?: string;
  off?: true;
  must?: true;
  rollout?: number;
}

/** Releases v1, v2, … for 1.0.0, each with its own package by default. */
const history = (...written: Written[]): Candidate[] =>
  written.map(({ range = '1.0.0', hash, off, must, rollout }, at) => ({
    label: `v${at + 1}`,
    range,
    packageHash: hash ?? `h${at + 1}`,
    isDisabled: off ?? false,
    isMandatory: must ?? false,
    rollout: rollout ?? null,
  }));

/** A short text for a decision. */
function formatDecision(decision: UpdateDecision): string {
  if (decision.reason === 'update') return `${decision.release.label}${decision.isMandatory ? ' mandatory' : ''}`;
  const { reason, range, needsNewerBinary, shouldRunBinary } = decision;
  return [reason, range, needsNewerBinary && 'store', shouldRunBinary && 'binary'].filter(Boolean).join(' ');
}

const runs = (label?: string, packageHash?: string, version = '1.0.0'): Running => ({ version, label, packageHash });
const fresh = runs();
/** In rollouts of 33% of v3 as device 1, and of 24% as device 2; see the vectors. */
const device1 = 'device-1';

const three = history({}, {}, {});
const cases: [what: string, history: Candidate[], running: Running, decision: string, device?: string][] = [
  ['nothing was released', [], fresh, 'no_releases binary'],
  ['the only release is disabled', history({ off: true }), fresh, 'all_disabled binary'],
  ['all releases are disabled', history({ off: true }, { off: true }), runs('v1', 'h1'), 'all_disabled binary'],
  ['a fresh install gets the newest', three, fresh, 'v3'],
  ['an empty label and hash count as missing', three, runs('', ''), 'v3'],
  ['an older update gets the newest', three, runs('v1', 'h1'), 'v3'],
  ['the newest is up to date', three, runs('v3', 'h3'), 'up_to_date'],
  ['without a label the hash identifies the release', three, runs(undefined, 'h3'), 'up_to_date'],
  ['without a label an older hash gets the newest', three, runs(undefined, 'h1'), 'v3'],
  ['an unknown label gets the newest', three, runs('v99', 'other'), 'v3'],
  ['the hash of a binary gets the newest', three, runs(undefined, 'binary'), 'v3'],
  ['a disabled newest release is skipped', history({}, {}, { off: true }), runs('v1', 'h1'), 'v2'],
  ['a device with a disabled release goes back', history({}, {}, { off: true }), runs('v3', 'h3'), 'v2'],
  [
    'a device with the release before a disabled one stays',
    history({}, {}, { off: true }),
    runs('v2', 'h2'),
    'up_to_date',
  ],
  ['a mandatory newest is mandatory', history({}, { must: true }), runs('v1', 'h1'), 'v2 mandatory'],
  ['a mandatory newest is mandatory for a new device', history({}, { must: true }), fresh, 'v2 mandatory'],
  [
    'a skipped mandatory release makes the next one mandatory',
    history({}, { must: true }, {}),
    runs('v1', 'h1'),
    'v3 mandatory',
  ],
  [
    'a mandatory release far back makes the newest mandatory',
    history({}, { must: true }, {}, {}, {}),
    runs('v1', 'h1'),
    'v5 mandatory',
  ],
  ['a mandatory release that is installed forces nothing', history({}, { must: true }, {}), runs('v2', 'h2'), 'v3'],
  [
    'a mandatory release older than the installed one forces nothing',
    history({ must: true }, {}, {}),
    runs('v2', 'h2'),
    'v3',
  ],
  ['a mandatory release forces nothing on a new device', history({}, { must: true }, {}), fresh, 'v3'],
  ['a disabled mandatory release forces nothing', history({}, { must: true, off: true }, {}), runs('v1', 'h1'), 'v3'],
  [
    'a mandatory release for another binary forces nothing',
    history({}, { must: true, range: '2.0.0' }, {}),
    runs('v1', 'h1'),
    'v3',
  ],
  [
    'a mandatory release also applies to a device known by hash',
    history({}, { must: true }, {}),
    runs(undefined, 'h1'),
    'v3 mandatory',
  ],
  [
    'a mandatory release applies to an unknown label',
    history({}, { must: true }, {}),
    runs('v99', 'x'),
    'v3 mandatory',
  ],
  [
    'the same package released twice is up to date',
    history({ hash: 'a' }, { hash: 'b' }, { hash: 'a' }),
    runs('v1', 'a'),
    'up_to_date',
  ],
  [
    'after a rollback a device with the bad release goes back',
    history({ hash: 'a' }, { hash: 'b' }, { hash: 'a' }),
    runs('v2', 'b'),
    'v3',
  ],
  [
    'a newer binary gets the range of the newest release',
    three,
    runs(undefined, undefined, '2.0.0'),
    'binary_too_new 1.0.0 binary',
  ],
  ['an older binary is sent to the store', history({ range: '2.0.0' }), fresh, 'binary_too_old 2.0.0 store binary'],
  ['an older release for this binary is offered', history({}, { range: '2.0.0' }), fresh, 'v1'],
  [
    'a device with it is sent to the store',
    history({}, { range: '2.0.0' }),
    runs('v1', 'h1'),
    'up_to_date 2.0.0 store',
  ],
  [
    'a device with it on a newer binary is not sent to the store',
    history({ range: '2.0.0' }, { range: '1.0.0' }),
    runs('v1', 'h1', '2.0.0'),
    'up_to_date 1.0.0',
  ],
  ['a companion gets a release for another binary', history({ range: '2.0.0' }), { ...fresh, isCompanion: true }, 'v1'],
  [
    'a companion on the newest gets its range',
    history({ range: '2.0.0' }),
    { ...runs('v1', 'h1'), isCompanion: true },
    'up_to_date 2.0.0 store',
  ],
  ['a range with x includes its versions', history({ range: '1.2.x' }), runs(undefined, undefined, '1.2.9'), 'v1'],
  [
    'a range with x excludes others',
    history({ range: '1.2.x' }),
    runs(undefined, undefined, '1.3.0'),
    'binary_too_new 1.2.x binary',
  ],
  ['a range of two parts is a range', history({ range: '1.2' }), runs(undefined, undefined, '1.2.5'), 'v1'],
  ['a star includes all versions', history({ range: '*' }), runs(undefined, undefined, '17.4.2'), 'v1'],
  ['a caret includes later versions', history({ range: '^1.2.0' }), runs(undefined, undefined, '1.9.9'), 'v1'],
  [
    'a tilde ends with the minor',
    history({ range: '~1.2.0' }),
    runs(undefined, undefined, '1.3.0'),
    'binary_too_new ~1.2.0 binary',
  ],
  ['two bounds are a range', history({ range: '>=1.0.0 <2.0.0' }), runs(undefined, undefined, '1.5.0'), 'v1'],
  ['a span is a range', history({ range: '1.0.0 - 1.4.0' }), runs(undefined, undefined, '1.4.0'), 'v1'],
  [
    'a pre-release is excluded from ranges without one',
    history({ range: '^1.0.0' }),
    runs(undefined, undefined, '1.5.0-beta.1'),
    'binary_too_new ^1.0.0 binary',
  ],
  [
    'a pre-release is in a range that names it',
    history({ range: '1.5.0-beta.1' }),
    runs(undefined, undefined, '1.5.0-beta.1'),
    'v1',
  ],
  [
    'a star excludes pre-releases',
    history({ range: '*' }),
    runs(undefined, undefined, '1.0.0-rc.1'),
    'binary_too_old * store binary',
  ],
  ['a build number makes no difference', history({ range: '1.0.0' }), runs(undefined, undefined, '1.0.0+42'), 'v1'],
  ['in a rollout', history({}, {}, { rollout: 33 }), runs('v2', 'h2'), 'v3', device1],
  ['out of a rollout', history({}, {}, { rollout: 32 }), runs('v2', 'h2'), 'up_to_date', device1],
  ['out of a rollout, the complete release', history({}, {}, { rollout: 32 }), runs('v1', 'h1'), 'v2', device1],
  ['a device without an ID is in no rollout', history({}, {}, { rollout: 99 }), runs('v2', 'h2'), 'up_to_date'],
  ['an empty ID counts as missing', history({}, {}, { rollout: 99 }), runs('v2', 'h2'), 'up_to_date', ''],
  ['a rollout of 100 includes all devices', history({}, {}, { rollout: 100 }), runs('v2', 'h2'), 'v3'],
  [
    'a disabled rollout includes no device',
    history({}, {}, { rollout: 99, off: true }),
    runs('v1', 'h1'),
    'v2',
    device1,
  ],
  [
    'the first release in a rollout is not offered to others',
    history({ rollout: 10 }),
    fresh,
    'all_disabled binary',
    device1,
  ],
  [
    'a mandatory rollout forces nothing on devices outside of it',
    history({}, {}, { rollout: 32, must: true }),
    runs('v1', 'h1'),
    'v2',
    device1,
  ],
  [
    'a device with a halted rollout keeps it',
    history({}, {}, { rollout: 33 }),
    runs('v3', 'h3'),
    'up_to_date',
    device1,
  ],
  [
    'a rollout for another binary is ignored',
    history({}, {}, { rollout: 99, range: '2.0.0' }),
    runs('v1', 'h1'),
    'v2',
    device1,
  ],
];

describe('choosing an update', () => {
  test.each(cases)('%s', (_what, releases, running, decision, device) => {
    expect(formatDecision(getDeviceDecision(chooseUpdate(releases, running), device))).toBe(decision);
  });

  test.each([
    ['device-1', 'v3', 32],
    ['device-2', 'v3', 23],
    ['8a1c0b1e-0000-4000-8000-000000000001', 'v12', 20],
  ])('the place of %s for %s is %i', (device, label, place) => {
    expect(getBucket(device, label)).toBe(place);
    expect([isInRollout(device, label, place), isInRollout(device, label, place + 1)]).toEqual([false, true]);
  });

  test('a rollout reaches approximately its percentage of devices', () => {
    const devices = Array.from({ length: 10_000 }, (_, n) => `${n.toString(16)}-4b7c-device`);
    const included = devices.filter((device) => isInRollout(device, 'v7', 25)).length;
    expect(included).toBeGreaterThan(2200);
    expect(included).toBeLessThan(2800);
  });
});

const someRelease = fc.record({
  range: fc.constantFrom('1.0.0', '1.x', '2.0.0', '*', '>=1.1.0', '1.0.0-beta.1'),
  packageHash: fc.constantFrom('a', 'b', 'c', 'd'),
  isDisabled: fc.boolean(),
  isMandatory: fc.boolean(),
  rollout: fc.option(fc.integer({ min: 1, max: 100 })),
});
const someHistory = fc
  .array(someRelease, { maxLength: 8 })
  .map((releases) => releases.map((release, at): Candidate => ({ ...release, label: `v${at + 1}` })));
const someRunning = fc.record({
  version: fc.constantFrom('1.0.0', '1.1.0', '2.0.0', '3.0.0', '1.0.0-beta.1'),
  label: fc.option(fc.constantFrom('v1', 'v2', 'v5', 'v99', ''), { nil: undefined }),
  packageHash: fc.option(fc.constantFrom('a', 'b', 'z', ''), { nil: undefined }),
  isCompanion: fc.boolean(),
});
const someDevice = fc.option(fc.uuid(), { nil: undefined });

describe('for any history, the selection', () => {
  test('never selects a disabled, incompatible or already installed release', () => {
    fc.assert(
      fc.property(someHistory, someRunning, someDevice, (releases, running, device) => {
        const decision = getDeviceDecision(chooseUpdate(releases, running), device);
        if (decision.reason !== 'update') return;
        const { release } = decision;
        expect(release.isDisabled).toBe(false);
        expect(release.packageHash).not.toBe(running.packageHash);
        if (!running.isCompanion) expect(isInRange(running.version, release.range)).toBe(true);
      }),
    );
  });

  test('includes a release in rollout only for devices within it', () => {
    fc.assert(
      fc.property(someHistory, someRunning, someDevice, (releases, running, device) => {
        const decision = getDeviceDecision(chooseUpdate(releases, running), device);
        if (decision.reason !== 'update' || (decision.release.rollout ?? 100) === 100) return;
        expect(isInRollout(device, decision.release.label, decision.release.rollout ?? 0)).toBe(true);
      }),
    );
  });

  test('keeps devices in a growing rollout, and gets everyone to the same release in the end', () => {
    fc.assert(
      fc.property(
        someHistory,
        someRunning,
        fc.uuid(),
        fc.integer({ min: 1, max: 99 }),
        (releases, running, device, step) => {
          const newest = releases.at(-1);
          if (!newest) return;
          const upTo = (rollout: number | null) =>
            getDeviceDecision(chooseUpdate([...releases.slice(0, -1), { ...newest, rollout }], running), device);
          const isSelected = (decision: UpdateDecision) =>
            decision.reason === 'update' && decision.release.label === newest.label;
          if (isSelected(upTo(step)))
            for (const more of [step + 1, 100, null]) expect(isSelected(upTo(more))).toBe(true);
          expect(formatDecision(upTo(100))).toBe(formatDecision(upTo(null)));
        },
      ),
    );
  });

  test('offers no update after the update', () => {
    fc.assert(
      fc.property(someHistory, someRunning, someDevice, (releases, running, device) => {
        const decision = getDeviceDecision(chooseUpdate(releases, running), device);
        if (decision.reason !== 'update') return;
        const { label, packageHash } = decision.release;
        expect(getDeviceDecision(chooseUpdate(releases, { ...running, label, packageHash }), device).reason).toBe(
          'up_to_date',
        );
      }),
    );
  });

  test('is unaffected by additional properties of other devices', () => {
    fc.assert(
      fc.property(someHistory, someRunning, fc.uuid(), fc.uuid(), (releases, running, one, other) => {
        const choice = chooseUpdate(releases, running);
        const before = formatDecision(getDeviceDecision(choice, one));
        getDeviceDecision(choice, other);
        expect(formatDecision(getDeviceDecision(choice, one))).toBe(before);
        expect(formatDecision(getDeviceDecision(chooseUpdate(releases, running), one))).toBe(before);
      }),
    );
  });
});

test('normalizes versions of two parts before comparing them', () => {
  const running = { version: readVersion('1.2-beta') ?? '' };
  expect(formatDecision(chooseUpdate(history({ range: '1.2.0-beta' }), running).everybody)).toBe('v1');
});
