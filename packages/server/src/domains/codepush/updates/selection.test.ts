import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInRange, readVersion } from './binary-versions.ts';
import { bucketOf, isInRollout } from './rollout.ts';
import { type Answer, answerFor, type Candidate, chooseUpdate, type Running } from './selection.ts';

interface Written {
  range?: string;
  hash?: string;
  off?: true;
  must?: true;
  rollout?: number;
}

/** Releases v1, v2, … for 1.0.0, each with a package of its own unless told. */
const history = (...written: Written[]): Candidate[] =>
  written.map(({ range = '1.0.0', hash, off, must, rollout }, at) => ({
    label: `v${at + 1}`,
    range,
    packageHash: hash ?? `h${at + 1}`,
    isDisabled: off ?? false,
    isMandatory: must ?? false,
    rollout: rollout ?? null,
  }));

/** An answer in a few words. */
function inWords(answer: Answer): string {
  if (answer.reason === 'update') return `${answer.release.label}${answer.isMandatory ? ' mandatory' : ''}`;
  const { reason, range, needsNewerBinary, shouldRunBinary } = answer;
  return [reason, range, needsNewerBinary && 'store', shouldRunBinary && 'binary'].filter(Boolean).join(' ');
}

const runs = (label?: string, packageHash?: string, version = '1.0.0'): Running => ({ version, label, packageHash });
const fresh = runs();
/** In a rollout of 33 % of v3, and of 24 % as the second one; see the vectors. */
const device1 = 'device-1';

const three = history({}, {}, {});
const cases: [what: string, history: Candidate[], running: Running, answer: string, device?: string][] = [
  ['nothing was released', [], fresh, 'no_releases binary'],
  ['the only release is disabled', history({ off: true }), fresh, 'all_disabled binary'],
  ['all releases are disabled', history({ off: true }, { off: true }), runs('v1', 'h1'), 'all_disabled binary'],
  ['a fresh install gets the newest', three, fresh, 'v3'],
  ['an empty label and hash are none', three, runs('', ''), 'v3'],
  ['an older update gets the newest', three, runs('v1', 'h1'), 'v3'],
  ['the newest is up to date', three, runs('v3', 'h3'), 'up_to_date'],
  ['without a label the hash tells what runs', three, runs(undefined, 'h3'), 'up_to_date'],
  ['without a label an older hash gets the newest', three, runs(undefined, 'h1'), 'v3'],
  ['an unknown label gets the newest', three, runs('v99', 'other'), 'v3'],
  ['the hash of a binary gets the newest', three, runs(undefined, 'binary'), 'v3'],
  ['a disabled newest is passed over', history({}, {}, { off: true }), runs('v1', 'h1'), 'v2'],
  ['who runs a disabled release goes back', history({}, {}, { off: true }), runs('v3', 'h3'), 'v2'],
  ['who runs the one before a disabled release stays', history({}, {}, { off: true }), runs('v2', 'h2'), 'up_to_date'],
  ['a mandatory newest is mandatory', history({}, { must: true }), runs('v1', 'h1'), 'v2 mandatory'],
  ['a mandatory newest is mandatory for the fresh', history({}, { must: true }), fresh, 'v2 mandatory'],
  ['a mandatory one in between forces what follows', history({}, { must: true }, {}), runs('v1', 'h1'), 'v3 mandatory'],
  [
    'a mandatory one far back forces what follows',
    history({}, { must: true }, {}, {}, {}),
    runs('v1', 'h1'),
    'v5 mandatory',
  ],
  ['what runs already being mandatory forces nothing', history({}, { must: true }, {}), runs('v2', 'h2'), 'v3'],
  ['what is older than what runs forces nothing', history({ must: true }, {}, {}), runs('v2', 'h2'), 'v3'],
  ['a mandatory one forces nothing on the fresh', history({}, { must: true }, {}), fresh, 'v3'],
  ['a disabled mandatory one forces nothing', history({}, { must: true, off: true }, {}), runs('v1', 'h1'), 'v3'],
  [
    'a mandatory one for another binary forces nothing',
    history({}, { must: true, range: '2.0.0' }, {}),
    runs('v1', 'h1'),
    'v3',
  ],
  ['a mandatory one forces by hash, too', history({}, { must: true }, {}), runs(undefined, 'h1'), 'v3 mandatory'],
  ['an unknown label is forced by a mandatory one', history({}, { must: true }, {}), runs('v99', 'x'), 'v3 mandatory'],
  [
    'the same package released twice is up to date',
    history({ hash: 'a' }, { hash: 'b' }, { hash: 'a' }),
    runs('v1', 'a'),
    'up_to_date',
  ],
  [
    'after a rollback who has the bad one goes back',
    history({ hash: 'a' }, { hash: 'b' }, { hash: 'a' }),
    runs('v2', 'b'),
    'v3',
  ],
  [
    'a newer binary is told which range there is',
    three,
    runs(undefined, undefined, '2.0.0'),
    'binary_too_new 1.0.0 binary',
  ],
  [
    'an older binary is told to go to the store',
    history({ range: '2.0.0' }),
    fresh,
    'binary_too_old 2.0.0 store binary',
  ],
  ['an older release for this binary is given', history({}, { range: '2.0.0' }), fresh, 'v1'],
  ['who has it is told of the store', history({}, { range: '2.0.0' }), runs('v1', 'h1'), 'up_to_date 2.0.0 store'],
  [
    'who has it on a newer binary is not',
    history({ range: '2.0.0' }, { range: '1.0.0' }),
    runs('v1', 'h1', '2.0.0'),
    'up_to_date 1.0.0',
  ],
  ['a companion gets what is for another binary', history({ range: '2.0.0' }), { ...fresh, isCompanion: true }, 'v1'],
  [
    'a companion on the newest is told of its range',
    history({ range: '2.0.0' }),
    { ...runs('v1', 'h1'), isCompanion: true },
    'up_to_date 2.0.0 store',
  ],
  ['a range with x takes its versions', history({ range: '1.2.x' }), runs(undefined, undefined, '1.2.9'), 'v1'],
  [
    'a range with x takes no others',
    history({ range: '1.2.x' }),
    runs(undefined, undefined, '1.3.0'),
    'binary_too_new 1.2.x binary',
  ],
  ['a range of two parts is a range', history({ range: '1.2' }), runs(undefined, undefined, '1.2.5'), 'v1'],
  ['a star takes all', history({ range: '*' }), runs(undefined, undefined, '17.4.2'), 'v1'],
  ['a caret takes what follows', history({ range: '^1.2.0' }), runs(undefined, undefined, '1.9.9'), 'v1'],
  [
    'a tilde ends with the minor',
    history({ range: '~1.2.0' }),
    runs(undefined, undefined, '1.3.0'),
    'binary_too_new ~1.2.0 binary',
  ],
  ['two bounds are a range', history({ range: '>=1.0.0 <2.0.0' }), runs(undefined, undefined, '1.5.0'), 'v1'],
  ['a span is a range', history({ range: '1.0.0 - 1.4.0' }), runs(undefined, undefined, '1.4.0'), 'v1'],
  [
    'a pre-release is in no range that names none',
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
    'a star takes no pre-release',
    history({ range: '*' }),
    runs(undefined, undefined, '1.0.0-rc.1'),
    'binary_too_old * store binary',
  ],
  ['a build number is no difference', history({ range: '1.0.0' }), runs(undefined, undefined, '1.0.0+42'), 'v1'],
  ['in a rollout', history({}, {}, { rollout: 33 }), runs('v2', 'h2'), 'v3', device1],
  ['out of a rollout', history({}, {}, { rollout: 32 }), runs('v2', 'h2'), 'up_to_date', device1],
  ['out of a rollout, what everybody has', history({}, {}, { rollout: 32 }), runs('v1', 'h1'), 'v2', device1],
  ['nobody in particular is in no rollout', history({}, {}, { rollout: 99 }), runs('v2', 'h2'), 'up_to_date'],
  ['an empty id is nobody in particular', history({}, {}, { rollout: 99 }), runs('v2', 'h2'), 'up_to_date', ''],
  ['a rollout of 100 is for everybody', history({}, {}, { rollout: 100 }), runs('v2', 'h2'), 'v3'],
  ['a disabled rollout is for nobody', history({}, {}, { rollout: 99, off: true }), runs('v1', 'h1'), 'v2', device1],
  [
    'the first release in a rollout is nothing for others',
    history({ rollout: 10 }),
    fresh,
    'all_disabled binary',
    device1,
  ],
  [
    'a mandatory rollout forces nobody who is not in it',
    history({}, {}, { rollout: 32, must: true }),
    runs('v1', 'h1'),
    'v2',
    device1,
  ],
  [
    'who runs a release that stopped at some stays with it',
    history({}, {}, { rollout: 33 }),
    runs('v3', 'h3'),
    'up_to_date',
    device1,
  ],
  [
    'a rollout for another binary is out of account',
    history({}, {}, { rollout: 99, range: '2.0.0' }),
    runs('v1', 'h1'),
    'v2',
    device1,
  ],
];

describe('choosing an update', () => {
  test.each(cases)('%s', (_what, releases, running, answer, device) => {
    expect(inWords(answerFor(chooseUpdate(releases, running), device))).toBe(answer);
  });

  test.each([
    ['device-1', 'v3', 32],
    ['device-2', 'v3', 23],
    ['8a1c0b1e-0000-4000-8000-000000000001', 'v12', 20],
  ])('%s stands for %s at %i of a hundred', (device, label, place) => {
    expect(bucketOf(device, label)).toBe(place);
    expect([isInRollout(device, label, place), isInRollout(device, label, place + 1)]).toEqual([false, true]);
  });

  test('a rollout reaches about as many devices as it says', () => {
    const devices = Array.from({ length: 10_000 }, (_, n) => `${n.toString(16)}-4b7c-device`);
    const reached = devices.filter((device) => isInRollout(device, 'v7', 25)).length;
    expect(reached).toBeGreaterThan(2200);
    expect(reached).toBeLessThan(2800);
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

describe('whatever was released', () => {
  test('nobody gets what is disabled, for another binary, or what they have', () => {
    fc.assert(
      fc.property(someHistory, someRunning, someDevice, (releases, running, device) => {
        const answer = answerFor(chooseUpdate(releases, running), device);
        if (answer.reason !== 'update') return;
        const { release } = answer;
        expect(release.isDisabled).toBe(false);
        expect(release.packageHash).not.toBe(running.packageHash);
        if (!running.isCompanion) expect(isInRange(running.version, release.range)).toBe(true);
      }),
    );
  });

  test('a release that goes to some is given to those only who are in its rollout', () => {
    fc.assert(
      fc.property(someHistory, someRunning, someDevice, (releases, running, device) => {
        const answer = answerFor(chooseUpdate(releases, running), device);
        if (answer.reason !== 'update' || (answer.release.rollout ?? 100) === 100) return;
        expect(isInRollout(device, answer.release.label, answer.release.rollout ?? 0)).toBe(true);
      }),
    );
  });

  test('who is in a rollout stays in it while it grows, and at its end everybody gets the same', () => {
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
            answerFor(chooseUpdate([...releases.slice(0, -1), { ...newest, rollout }], running), device);
          const isGiven = (answer: Answer) => answer.reason === 'update' && answer.release.label === newest.label;
          if (isGiven(upTo(step))) for (const more of [step + 1, 100, null]) expect(isGiven(upTo(more))).toBe(true);
          expect(inWords(upTo(100))).toBe(inWords(upTo(null)));
        },
      ),
    );
  });

  test('after the update there is no other', () => {
    fc.assert(
      fc.property(someHistory, someRunning, someDevice, (releases, running, device) => {
        const answer = answerFor(chooseUpdate(releases, running), device);
        if (answer.reason !== 'update') return;
        const { label, packageHash } = answer.release;
        expect(answerFor(chooseUpdate(releases, { ...running, label, packageHash }), device).reason).toBe('up_to_date');
      }),
    );
  });

  test('what a device says of itself beside that changes nothing for the others', () => {
    fc.assert(
      fc.property(someHistory, someRunning, fc.uuid(), fc.uuid(), (releases, running, one, other) => {
        const choice = chooseUpdate(releases, running);
        const before = inWords(answerFor(choice, one));
        answerFor(choice, other);
        expect(inWords(answerFor(choice, one))).toBe(before);
        expect(inWords(answerFor(chooseUpdate(releases, running), one))).toBe(before);
      }),
    );
  });
});

test('versions of two parts are read before anything is compared', () => {
  const running = { version: readVersion('1.2-beta') ?? '' };
  expect(inWords(chooseUpdate(history({ range: '1.2.0-beta' }), running).everybody)).toBe('v1');
});
