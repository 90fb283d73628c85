import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import type { Config } from '../config.ts';
import { DAY } from '../kernel/clock.ts';
import { certificateFiles } from '../kernel/crypto/certificate-files.ts';
import { findOpenFiles } from '../kernel/files/private-files.ts';
import { findKind } from '../workers/programs.ts';
import { llvmSymbolizer, swiftDemangle } from '../workers/symbolizers.ts';
import { createFindings, type Finding } from './findings.ts';

/** The nearest existing folder: where a first start would create the data folder. */
function existingParent(folder: string): string {
  return existsSync(folder) ? folder : existingParent(path.dirname(folder));
}

export function checkDataFolder({ dataDir }: Config): Finding[] {
  const { ok, warn, fail } = createFindings('data folder');
  const there = statSync(dataDir, { throwIfNoEntry: false });
  if (there && !there.isDirectory()) return [fail(`${dataDir} is not a folder.`, 'Set MOORING_DATA_DIR to a folder.')];
  try {
    accessSync(existingParent(dataDir), constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [fail(`This user can't write to ${dataDir}.`, 'Make the user that runs the server its owner.')];
  }
  if (!there) return [ok(`${dataDir} does not exist yet; the first start creates it.`)];
  const open = findOpenFiles(dataDir);
  if (open.length === 0) return [ok(`${dataDir} is writable, and other users can't read it.`)];
  return open.map(({ isWritable, message, remedy }) => (isWritable ? fail : warn)(message, remedy));
}

const LOW_BYTES = 1024 ** 3;
const FULL_BYTES = 100 * 1024 ** 2;
const inMegabytes = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2).toLocaleString('en')} MB`;

export function checkDisk({ dataDir, diskReserveMb }: Config): Finding[] {
  const { ok, warn, fail } = createFindings('disk');
  const { bavail, bsize } = statfsSync(existingParent(dataDir));
  const message = `${inMegabytes(bavail * bsize)} free for ${dataDir}.`;
  const remedy = 'Free space: on a full disk, every change fails.';
  if (bavail * bsize < FULL_BYTES) return [fail(message, remedy)];
  if (bavail * bsize < diskReserveMb * 1024 ** 2)
    return [
      fail(
        `${message} That is less than MOORING_DISK_RESERVE_MB (${diskReserveMb}), so the server rejects logs and uploads.`,
        'Free space or lower the reserve. Users can still sign in and delete data.',
      ),
    ];
  return [bavail * bsize < LOW_BYTES ? warn(message, remedy) : ok(message)];
}

export function checkCertificate(config: Config, now: number): Finding[] {
  const { ok, warn, fail } = createFindings('certificate');
  const { certFile, keyFile } = certificateFiles(config);
  const isOwn = certFile === config.tlsCertFile;
  if (!isOwn && !existsSync(certFile)) return [ok('No certificate yet; the first start creates one.')];
  const remedy = isOwn
    ? `Renew ${certFile}, then restart the server.`
    : `Delete ${certFile}, then restart the server, which creates a new one.`;
  const found: Finding[] = [];
  const certificate = new X509Certificate(readFileSync(certFile));
  if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)))) {
    found.push(fail(`${keyFile} is not the key of ${certFile}.`, isOwn ? 'Set both files to the same pair.' : remedy));
  }
  const days = Math.floor((Date.parse(certificate.validTo) - now) / DAY);
  if (days < 0) found.push(fail(`${certFile} expired on ${certificate.validTo}.`, remedy));
  else if (days < 14)
    found.push(warn(`${certFile} expires in ${days} days.`, isOwn ? remedy : 'Restart the server, which renews it.'));
  if (Date.parse(certificate.validFrom) > now) {
    found.push(fail(`${certFile} is not valid before ${certificate.validFrom}.`, 'Check the clock of this machine.'));
  }
  const host = config.publicUrl && new URL(config.publicUrl).hostname.replace(/^\[|\]$/g, '');
  const covers = !host || (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
  if (!covers) {
    found.push(
      warn(
        `${certFile} does not cover ${host}, the host of MOORING_PUBLIC_URL.`,
        `${remedy} Ignore this behind a proxy.`,
      ),
    );
  }
  return found.length > 0 ? found : [ok(`${certFile} is valid for ${days} days.`)];
}

/** Checks optional programs, and names the features that need them. */
export function checkPrograms(): Finding[] {
  const { ok } = createFindings('programs');
  const symbolizer = findKind(llvmSymbolizer);
  const demangler = findKind(swiftDemangle);
  return [
    symbolizer
      ? ok(`${symbolizer} adds line numbers from dSYMs and .so files.`)
      : ok(
          'llvm-symbolizer is not installed: stack frames from dSYMs and .so files have function names, but no line numbers.',
          'Install it (Debian package llvm), then restart the server.',
        ),
    demangler
      ? ok(`${demangler} makes Swift names readable.`)
      : ok(
          'swift-demangle is not installed: Swift names are shown mangled.',
          'Install it (package swiftlang in Debian 13 or later), then restart the server.',
        ),
  ];
}
