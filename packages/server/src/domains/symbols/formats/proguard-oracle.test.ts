import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findProgram } from '../../../workers/find-program.ts';
import { indexMapping, type JavaFrame } from './proguard.ts';

/** ProGuard writes a mapping of a real program, and its own retrace says what names are behind those of every frame. */
const java = findProgram(['java']);
const folderOfJars = '/usr/share/java';
const jars = ['proguard.jar', 'proguard-retrace.jar'].map((jar) => path.join(folderOfJars, jar));
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

/** Retrace itself, shrunk, optimized and obfuscated: some hundred members, with inlined ones and names that overloads share. */
function obfuscate(): string {
  const [proguard = '', retrace = ''] = jars;
  const keep = '-keep public class proguard.retrace.ReTrace { public static void main(java.lang.String[]); }';
  const quiet = ['-ignorewarnings', '-dontnote', '-dontpreverify', '-dontwarn', '**'];
  const names = ['-renamesourcefileattribute', 'SourceFile', '-keepattributes', 'SourceFile,LineNumberTable'];
  const harder = ['-repackageclasses', 'a', '-allowaccessmodification', '-overloadaggressively'];
  const files = ['-injars', retrace, '-libraryjars', proguard, '-outjars', at('out.jar'), '-printmapping', at('map')];
  run('proguard.ProGuard', ...files, ...quiet, keep, ...names, ...harder);
  return readFileSync(at('map'), 'utf8');
}

/** Every member at the first, a middle and the last line of its ranges, and without a line. */
function framesOf(mapping: string): JavaFrame[] {
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

/** What retrace makes of each; of a frame that may be several methods it writes the others below, without their class. */
function askRetrace(frames: readonly JavaFrame[]): string[][] {
  const shown = ({ className, method, line }: JavaFrame) =>
    `\tat ${className}.${method}(${line === undefined ? 'Unknown Source' : `SourceFile:${line}`})`;
  // A line that is no frame, so that what became of each can be told apart.
  writeFileSync(at('trace'), frames.map((frame) => `- - -\n${shown(frame)}\n`).join(''));
  const answer = run('proguard.retrace.ReTrace', at('map'), at('trace'));
  return answer
    .split('- - -\n')
    .slice(1)
    .map((lines) => lines.trimEnd().split('\n'));
}

test.skipIf(!hasOracle)('a mapping of ProGuard is read as by its own retrace', () => {
  const mapping = obfuscate();
  const frames = framesOf(mapping);
  expect(frames.length).toBeGreaterThan(100);
  const map = indexMapping(Buffer.from(mapping));
  const theirs = askRetrace(frames).map((lines) => lines.map((line) => line.replace(/^\s+(at )?/, '')));
  for (const [index, frame] of frames.entries()) {
    const ours = map.retrace([frame])[0] ?? [];
    const [first, ...others] = theirs[index] ?? [];
    const shown = ours.map(({ className, method, file, line }) =>
      line === undefined ? `${className}.${method}(${file})` : `${className}.${method}(${file}:${line})`,
    );
    if (frame.line !== undefined) expect([frame, shown]).toEqual([frame, [first, ...others]]);
    else {
      // Without a line it also names what may have been inlined; here only methods that the frame itself can be of.
      expect([frame, shown]).toEqual([frame, [first]]);
      const names = others.map((other) => /(\w+)\(/.exec(other)?.[1]);
      const alternatives = (ours[0]?.alternatives ?? []).map((name) => name.slice(name.lastIndexOf('.') + 1));
      expect(names).toEqual(expect.arrayContaining(alternatives));
    }
  }
});
