import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findProgram } from '../../../workers/find-program.ts';
import { indexMapping, type JavaFrame } from './proguard.ts';

/** ProGuard obfuscates a real program; its own retrace tool provides the expected names of every frame. */
const java = findProgram(['java']);
const JAR_FOLDER = '/usr/share/java';
const jars = ['proguard.jar', 'proguard-retrace.jar'].map((jar) => path.join(JAR_FOLDER, jar));
const hasOracle = java !== undefined && jars.every((jar) => existsSync(jar));
if (!hasOracle) process.stdout.write('Mappings are not compared with retrace: install libproguard-java and a JRE.\n');

const folder = mkdtempSync(path.join(tmpdir(), 'mooring-proguard-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => path.join(folder, name);
const run = (program: string, ...args: string[]) =>
  execFileSync(java ?? 'java', ['-cp', jars.join(path.delimiter), program, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 26,
  });

/**
 * Shrinks, optimizes and obfuscates retrace itself: several hundred members, with inlining and shared names of overloads.
 */
function obfuscate(): string {
  const [proguard = '', retrace = ''] = jars;
  const keepRule = '-keep public class proguard.retrace.ReTrace { public static void main(java.lang.String[]); }';
  const quiet = ['-ignorewarnings', '-dontnote', '-dontpreverify', '-dontwarn', '**'];
  const names = ['-renamesourcefileattribute', 'SourceFile', '-keepattributes', 'SourceFile,LineNumberTable'];
  const harder = ['-repackageclasses', 'a', '-allowaccessmodification', '-overloadaggressively'];
  const files = ['-injars', retrace, '-libraryjars', proguard, '-outjars', at('out.jar'), '-printmapping', at('map')];
  run('proguard.ProGuard', ...files, ...quiet, keepRule, ...names, ...harder);
  return readFileSync(at('map'), 'utf8');
}

/** Every member at the first, a middle and the last line of its ranges, and without a line. */
function listFrames(mapping: string): JavaFrame[] {
  const frames = new Map<string, JavaFrame>();
  let className = '';
  for (const line of mapping.split('\n')) {
    className = /^\S+ -> (\S+):$/.exec(line)?.[1] ?? className;
    const [, first, last, method] = /^ +(?:(\d+):(\d+):)?\S+ \S+\(.*\S* -> (\S+)$/.exec(line) ?? [];
    if (method === undefined) continue;
    const [from, to] = [Number(first ?? 1), Number(last ?? 9)];
    for (const at of [from, Math.floor((from + to) / 2), to, undefined]) {
      frames.set(`${className}.${method}:${at}`, { className, method, file: 'SourceFile', line: at });
    }
  }
  return [...frames.values()];
}

/** Returns the output of retrace for each frame; for an ambiguous frame, alternatives follow without their class. */
function runRetrace(frames: readonly JavaFrame[]): string[][] {
  const shown = ({ className, method, line }: JavaFrame) =>
    `\tat ${className}.${method}(${line === undefined ? 'Unknown Source' : `SourceFile:${line}`})`;
  // A separator that is not a frame, so that results can be assigned to frames.
  writeFileSync(at('trace'), frames.map((frame) => `- - -\n${shown(frame)}\n`).join(''));
  const output = run('proguard.retrace.ReTrace', at('map'), at('trace'));
  return output
    .split('- - -\n')
    .slice(1)
    .map((lines) => lines.trimEnd().split('\n'));
}

test.skipIf(!hasOracle)('reads a mapping of ProGuard like its own retrace', () => {
  const mapping = obfuscate();
  const frames = listFrames(mapping);
  expect(frames.length).toBeGreaterThan(100);
  const map = indexMapping(Buffer.from(mapping));
  const theirs = runRetrace(frames).map((lines) => lines.map((line) => line.replace(/^\s+(at )?/, '')));
  for (const [index, frame] of frames.entries()) {
    const ours = map.retrace([frame])[0] ?? [];
    const [first, ...others] = theirs[index] ?? [];
    const shown = ours.map(({ className, method, file, line }) =>
      line === undefined ? `${className}.${method}(${file})` : `${className}.${method}(${file}:${line})`,
    );
    if (frame.line !== undefined) expect([frame, shown]).toEqual([frame, [first, ...others]]);
    else {
      // Without a line, retrace also lists possibly inlined methods; Mooring only lists candidates for the frame itself.
      expect([frame, shown]).toEqual([frame, [first]]);
      const names = others.map((other) => /(\w+)\(/.exec(other)?.[1]);
      const alternatives = (ours[0]?.alternatives ?? []).map((name) => name.slice(name.lastIndexOf('.') + 1));
      expect(names).toEqual(expect.arrayContaining(alternatives));
    }
  }
});
