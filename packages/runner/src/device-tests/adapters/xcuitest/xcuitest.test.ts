import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TestJob } from '../adapter.ts';
import { readConnected, readSimulators } from './apple.ts';
import { readAttachments, readDuration, readStarted, readTests } from './xcresult.ts';
import { writeTestRun } from './xctestrun.ts';
import { xcuitest } from './xcuitest.ts';

// The samples follow the documented formats of xcodebuild, xcresulttool, simctl and devicectl, as no Mac is available.

test('reads tests from a result bundle of Xcode', () => {
  const json = JSON.stringify({
    testNodes: [
      {
        nodeType: 'Test Plan',
        name: 'Notes',
        children: [
          {
            nodeType: 'UI test bundle',
            name: 'NotesUITests',
            children: [
              {
                nodeType: 'Test Suite',
                name: 'NotesTests',
                children: [
                  {
                    nodeType: 'Test Case',
                    name: 'testKeeps()',
                    nodeIdentifier: 'NotesTests/testKeeps()',
                    result: 'Passed',
                    durationInSeconds: 1.25,
                  },
                  {
                    nodeType: 'Test Case',
                    nodeIdentifier: 'NotesTests/testFinds()',
                    result: 'Failed',
                    duration: '1m 2s',
                    children: [{ nodeType: 'Failure Message', name: 'NotesTests.swift:12: XCTAssertTrue failed' }],
                  },
                  { nodeType: 'Test Case', nodeIdentifier: 'NotesTests/testPrints()', result: 'Skipped' },
                ],
              },
            ],
          },
        ],
      },
    ],
  });
  expect(readTests(json)).toEqual([
    { id: 'NotesTests/testKeeps()', suite: 'NotesTests', test: 'testKeeps', status: 'passed', milliseconds: 1250 },
    {
      id: 'NotesTests/testFinds()',
      suite: 'NotesTests',
      test: 'testFinds',
      status: 'failed',
      milliseconds: 62_000,
      message: 'NotesTests.swift:12: XCTAssertTrue failed',
    },
    { id: 'NotesTests/testPrints()', suite: 'NotesTests', test: 'testPrints', status: 'skipped', milliseconds: 0 },
  ]);
  expect(readTests('{}')).toEqual([]);
});

test('assigns screenshots to tests by time, with their labels', () => {
  const manifest = JSON.stringify([
    {
      testIdentifier: 'NotesTests/testKeeps()',
      attachments: [
        {
          exportedFileName: 'B.png',
          suggestedHumanReadableName: '[MobileCenterTest]: Kept_0_0A1B2C3D-0A1B-0A1B-0A1B-0A1B2C3D4E5F.png',
          timestamp: 2,
        },
        { exportedFileName: 'A.jpeg', suggestedHumanReadableName: 'Opened.jpeg', timestamp: 1 },
        { exportedFileName: 'log.txt', timestamp: 0 },
        { exportedFileName: '../../secret.png', timestamp: 0 },
      ],
    },
  ]);
  expect(readAttachments(manifest)).toEqual([
    { id: 'NotesTests/testKeeps()', file: 'A.jpeg', label: 'Opened' },
    { id: 'NotesTests/testKeeps()', file: 'B.png', label: 'Kept' },
  ]);
});

test('reads the start of a test from xcodebuild', () => {
  expect(readStarted("Test Case '-[NotesUITests.NotesTests testKeeps]' started.")).toEqual({
    suite: 'NotesTests',
    test: 'testKeeps',
  });
  expect(readStarted("Test Case '-[NotesUITests.NotesTests testKeeps]' passed (1.2 seconds).")).toBeUndefined();
  expect([readDuration('450ms'), readDuration('1,5s'), readDuration('')]).toEqual([450, 1500, 0]);
});

test('lists running simulators and connected phones', () => {
  const simulators = JSON.stringify({
    devices: {
      'com.apple.CoreSimulator.SimRuntime.iOS-17-4': [
        { udid: 'U1', name: 'iPhone 15', state: 'Booted' },
        { udid: 'U2', name: 'iPad Air', state: 'Shutdown' },
      ],
      'com.apple.CoreSimulator.SimRuntime.watchOS-10-0': [{ udid: 'U3', name: 'Watch', state: 'Booted' }],
    },
  });
  expect(readSimulators(simulators)).toEqual([
    expect.objectContaining({ key: 'apple-U1', model: 'iPhone 15 (simulator)', os: '17.4', platform: 'ios' }),
  ]);
  const connected = JSON.stringify({
    result: {
      devices: [
        {
          hardwareProperties: { udid: 'U4', marketingName: 'iPad Air', deviceType: 'iPad' },
          deviceProperties: { osVersionNumber: '17.5' },
          connectionProperties: { tunnelState: 'connected' },
        },
        { hardwareProperties: { deviceType: 'iPhone' }, connectionProperties: { tunnelState: 'unavailable' } },
      ],
    },
  });
  expect(readConnected(connected)).toEqual([
    expect.objectContaining({ key: 'apple-U4', model: 'iPad Air', os: '17.5', form_factor: 'tablet' }),
  ]);
});

test('writes app, tests, selection and variables to the file for xcodebuild', () => {
  const plist = writeTestRun({
    app: '/a/Notes.app',
    runner: '/a/N-Runner.app',
    bundle: 'N.xctest',
    env: { A: '<1&2>' },
    only: ['NotesTests testKeeps'],
  });
  expect(plist).toContain('<key>TestBundlePath</key><string>__TESTHOST__/PlugIns/N.xctest</string>');
  expect(plist).toContain('<key>A</key><string>&lt;1&amp;2&gt;</string>');
  expect(plist).toContain('<array><string>NotesTests/testKeeps</string></array>');
});

test.each([
  ['iPhone 15 (simulator)', 'simctl uninstall 7'],
  ['iPhone 15', 'devicectl device uninstall app --device 7'],
])('uninstalls apps from %s, and skips bundles that were not unpacked', async (model, uninstall) => {
  const box = mkdtempSync(path.join(tmpdir(), 'mooring-xcuitest-'));
  onTestFinished(() => rmSync(box, { recursive: true, force: true }));
  mkdirSync(path.join(box, 'unpacked-app/Payload/Compass.app'), { recursive: true });
  const commands: string[] = [];
  const job = {
    work: { device: { key: 'apple-7', model } },
    folders: { box },
    runOnHost: async ([program = '', ...args]: readonly string[]) => {
      commands.push([path.basename(program), ...args].join(' ').replace(box, ''));
      return program === 'plutil' ? 'com.example.compass\n' : '';
    },
  };
  await xcuitest.cleanup(job as unknown as TestJob);
  expect(commands).toEqual([
    'plutil -extract CFBundleIdentifier raw -o - /unpacked-app/Payload/Compass.app/Info.plist',
    `xcrun ${uninstall} com.example.compass`,
  ]);
});
