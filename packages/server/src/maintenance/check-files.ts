import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import type { Config } from '../config.ts';
import { certificateFiles } from '../kernel/certificate-files.ts';
import { DAY } from '../kernel/clock.ts';
import { findOpenFiles } from '../kernel/private-files.ts';
import { findKind } from '../workers/programs.ts';
import { llvmSymbolizer, swiftDemangle } from '../workers/symbolizers.ts';
import { type Finding, findingsOf } from './findings.ts';

/** The nearest folder that is there: what a first start would make the data folder in. */
function existingParent(folder: string): string {
  return existsSync(folder) ? folder : existingParent(path.dirname(folder));
}

export function checkDataFolder({ dataDir }: Config): Finding[] {
  const { ok, warn, fail } = findingsOf('data folder');
  const there = statSync(dataDir, { throwIfNoEntry: false });
  if (there && !there.isDirectory()) return [fail(`${dataDir} is not a folder.`, 'Name a folder in MOORING_DATA_DIR.')];
  try {
    accessSync(existingParent(dataDir), constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [fail(`This user may not write to ${dataDir}.`, 'Give the folder to the user that runs the server.')];
  }
  if (!there) return [ok(`${dataDir} is not there yet; the first start makes it.`)];
  const open = findOpenFiles(dataDir);
  if (open.length === 0) return [ok(`${dataDir} can be written, and read by nobody else.`)];
  return open.map(({ isWritable, message, mend }) => (isWritable ? fail : warn)(message, mend));
}

const LOW_BYTES = 1024 ** 3;
const FULL_BYTES = 100 * 1024 ** 2;
const inMegabytes = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2).toLocaleString('en')} MB`;

export function checkDisk({ dataDir, diskReserveMb }: Config): Finding[] {
  const { ok, warn, fail } = findingsOf('disk');
  const { bavail, bsize } = statfsSync(existingParent(dataDir));
  const message = `${inMegabytes(bavail * bsize)} are free for ${dataDir}.`;
  const mend = 'Make room: a full disk refuses every change.';
  if (bavail * bsize < FULL_BYTES) return [fail(message, mend)];
  if (bavail * bsize < diskReserveMb * 1024 ** 2)
    return [
      fail(
        `${message} That is less than MOORING_DISK_RESERVE_MB (${diskReserveMb}), so logs and uploads are refused.`,
        'Free space, or lower the reserve. People can still sign in and delete.',
      ),
    ];
  return [bavail * bsize < LOW_BYTES ? warn(message, mend) : ok(message)];
}

export function checkCertificate(config: Config, now: number): Finding[] {
  const { ok, warn, fail } = findingsOf('certificate');
  const { certFile, keyFile } = certificateFiles(config);
  const isOwn = certFile === config.tlsCertFile;
  if (!isOwn && !existsSync(certFile)) return [ok('There is none yet; the first start makes one.')];
  const mend = isOwn ? `Renew ${certFile}, and restart.` : `Delete ${certFile}, and restart: it is made anew.`;
  const found: Finding[] = [];
  const certificate = new X509Certificate(readFileSync(certFile));
  if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)))) {
    found.push(fail(`${keyFile} is not the key of ${certFile}.`, isOwn ? 'Give both files of the same pair.' : mend));
  }
  const days = Math.floor((Date.parse(certificate.validTo) - now) / DAY);
  if (days < 0) found.push(fail(`${certFile} has expired on ${certificate.validTo}.`, mend));
  else if (days < 14)
    found.push(warn(`${certFile} expires in ${days} days.`, isOwn ? mend : 'Restart: it is renewed.'));
  if (Date.parse(certificate.validFrom) > now) {
    found.push(fail(`${certFile} is valid only from ${certificate.validFrom}.`, 'Is the clock of this machine right?'));
  }
  const host = config.publicUrl && new URL(config.publicUrl).hostname.replace(/^\[|\]$/g, '');
  const covers = !host || (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
  if (!covers) {
    found.push(
      warn(`${certFile} is not for ${host}, the host of MOORING_PUBLIC_URL.`, `${mend} Not needed behind a proxy.`),
    );
  }
  return found.length > 0 ? found : [ok(`${certFile} is valid for ${days} days.`)];
}

/** Programs of others that it does without, and what they would add. */
export function checkPrograms(): Finding[] {
  const { ok } = findingsOf('programs');
  const symbolizer = findKind(llvmSymbolizer);
  const demangler = findKind(swiftDemangle);
  return [
    symbolizer
      ? ok(`${symbolizer} tells lines of dSYMs and .so files.`)
      : ok(
          'llvm-symbolizer is not installed: functions of dSYMs and .so files are named, their lines are not told.',
          'Install the Debian package llvm, and start the server again.',
        ),
    demangler
      ? ok(`${demangler} makes names of Swift readable.`)
      : ok(
          'swift-demangle is not installed: names of Swift are shown as the compiler wrote them.',
          'Debian has it in the package swiftlang from version 13 on; start the server again afterwards.',
        ),
  ];
}
