import { qrCode, qrPath } from '@mooring/contract';
import { toIso } from '../../../kernel/clock.ts';
import { escapeHtml as text } from '../../../kernel/html.ts';
import type { App } from '../../apps/index.ts';
import type { Release } from '../releases.ts';
import type { InstallLinks } from './install-links.ts';
import { notesHtml } from './notes-html.ts';
import { drawPage } from './page-frame.ts';
import { fitsVisitor, type VisitorSystem } from './visitor-system.ts';

const MIB = 1024 * 1024;
const sizeInWords = (bytes: number): string =>
  bytes < MIB ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / MIB).toFixed(1)} MB`;
const versionInWords = ({ shortVersion, version }: Release): string =>
  shortVersion === version ? version : `${shortVersion} (${version})`;
const dayOf = (at: number): string => toIso(at).slice(0, 10);

export interface InstallPage {
  app: App;
  release: Release;
  links: InstallLinks;
  isLatest: boolean;
  /** Where Windows gets it, and what comes after it. */
  appInstaller?: string | undefined;
  /** Others that the visitor can install, with the addresses of their pages. */
  others: { release: Release; path: string }[];
  /** Of this page, for the code that a phone reads. */
  url: string;
  system: VisitorSystem;
  now: number;
  /** Apple devices of whoever is signed in. */
  devices: { name: string; isNamed: boolean }[] | undefined;
}

/** An image of this server only: a page that testers open asks nobody else. */
function iconHtml({ app, release }: InstallPage): string {
  const path = release.iconPath ?? app.iconUrl;
  if (path?.startsWith('/') && !path.startsWith('//')) {
    return `<img class="icon" src="${text(path)}" alt="" width="64" height="64">`;
  }
  return `<span class="icon" aria-hidden="true">${text([...app.displayName][0]?.toUpperCase() ?? '')}</span>`;
}

const note = (words: string): string => `<p class="note">${text(words)}</p>`;

/** What speaks against installing it, for whoever stands before the button. */
function problemOf({ app, release, now, system }: InstallPage): string | undefined {
  const { profile } = release.metadata;
  if (profile?.expiresAt !== undefined && profile.expiresAt <= now) {
    return 'This build can no longer be installed: its provisioning profile has expired. Ask whoever made it for a new one.';
  }
  if (profile?.type === 'other') {
    return 'This build was made for a store, so devices refuse it from here. Ask whoever made it for another.';
  }
  if (release.kind === 'aab') {
    return 'This file is for Google Play: phones cannot install it. Ask whoever made it for an .apk.';
  }
  if (release.kind === 'appxupload' || release.kind === 'msixupload') {
    return 'This file is for the store of Windows, which alone can install it. Ask whoever made it for an .msix or .appx.';
  }
  if (fitsVisitor(app.os, system) === 'no')
    return `This is an app for ${app.os}. Open this page on a device with ${app.os}.`;
  return undefined;
}

/** Whether the visitor's own devices take an app that is signed for some devices only. */
function devicesHtml({ release, devices }: InstallPage): string {
  if (release.metadata.profile?.type !== 'adhoc') return '';
  const settings = '<a href="/settings/devices">Register a device</a>';
  const missing = (devices ?? []).filter(({ isNamed }) => !isNamed).map(({ name }) => name);
  if (devices === undefined || devices.length === 0) {
    return `<p class="dim">Is yours none of them? ${settings}, and ask whoever made it for a new build.</p>`;
  }
  if (missing.length === 0) return '';
  const words = `Not in the provisioning profile of this build, so it cannot be installed there: ${missing.join(', ')}. Ask whoever made it to sign it for your device.`;
  return missing.length === devices.length ? note(words) : `<p class="dim">${text(words)}</p>`;
}

const hints: Partial<Record<Release['kind'], string>> = {
  apk: 'Android asks once whether your browser may install apps. Allow it, then open the downloaded file.',
  ipa: 'iOS asks whether to install it; then it appears on the home screen. Only devices in its provisioning profile take it.',
  dmg: 'Open the downloaded file, then drag the app to Applications.',
  pkg: 'Open the downloaded file and follow the installer.',
  msi: 'Open the downloaded file and follow the installer.',
  msix: 'Open the downloaded file. Windows installs it if it trusts its certificate.',
  msixbundle: 'Open the downloaded file. Windows installs it if it trusts its certificate.',
  appx: 'Open the downloaded file. Windows installs it if it trusts its certificate.',
  appxbundle: 'Open the downloaded file. Windows installs it if it trusts its certificate.',
  deb: 'Install the downloaded file with: sudo apt install ./file.deb',
  rpm: 'Install the downloaded file with: sudo dnf install ./file.rpm',
  appimage: 'Make the downloaded file executable, then run it.',
};

/** By whatever name a visitor came to this server, the file comes from it. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function actionsHtml(page: InstallPage): string {
  const { app, release, links, system } = page;
  const problem = problemOf(page);
  const fits = fitsVisitor(app.os, system);
  const download = (isFirst: boolean) =>
    `<a class="button${isFirst ? '' : ' second'}" href="${text(pathOf(links.downloadUrl))}">Download .${text(release.kind)}</a>`;
  if (problem) return `${note(problem)}${download(false)}`;
  const hint = hints[release.kind];
  const hintHtml = hint ? `<p class="dim">${text(hint)}</p>` : '';
  if (release.kind === 'ipa') {
    const install = `<a class="button" href="${text(links.installUrl)}">Install${fits === 'yes' ? '' : ' on an iPhone or iPad'}</a>`;
    return `${install}${hintHtml}${devicesHtml(page)}${fits === 'yes' ? '' : download(false)}`;
  }
  if (page.appInstaller !== undefined && fits === 'yes') {
    const words =
      'Open the downloaded file. Windows installs the app if it trusts its certificate, and keeps it up to date.';
    return `<a class="button" href="${text(page.appInstaller)}">Install</a><p class="dim">${words}</p>${download(false)}`;
  }
  if (release.kind === 'apk' && fits === 'yes') {
    return `<a class="button" href="${text(pathOf(links.downloadUrl))}">Install</a>${hintHtml}`;
  }
  return `${download(true)}${hintHtml}`;
}

function codeHtml({ app, url, system }: InstallPage): string {
  // On the phone itself it would be of no use.
  if (system === 'Android' || system === 'iOS' || !['Android', 'iOS'].includes(app.os)) return '';
  const { path, size } = qrPath(qrCode(url));
  return `<section class="card code"><svg width="132" height="132" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of this page"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg><p>Point the camera of your phone at the code to open this page there.</p></section>`;
}

function detailsHtml({ app, release }: InstallPage): string {
  const { minOs, sha256, bundleIdentifier, metadata } = release;
  const rows: [string, string | undefined][] = [
    ['Size', sizeInWords(release.size)],
    [`Needs ${app.os}`, minOs && `${minOs} or later`],
    ['Identifier', bundleIdentifier],
    ['Architectures', metadata.architectures?.join(', ')],
    ['SHA-256 of the file', sha256],
    ['Signed with (SHA-256)', metadata.certificate],
    ['Profile ends', metadata.profile?.expiresAt === undefined ? undefined : dayOf(metadata.profile.expiresAt)],
  ];
  const shown = rows.flatMap(([name, value]) => (value ? [`<dt>${text(name)}</dt><dd>${text(value)}</dd>`] : []));
  return `<section class="card"><h2>About this build</h2><dl>${shown.join('')}</dl></section>`;
}

function othersHtml({ others }: InstallPage): string {
  if (others.length === 0) return '';
  const rows = others.map(
    ({ release, path }) =>
      `<li><a href="${text(path)}">${text(versionInWords(release))}</a><span class="dim">${dayOf(release.uploadedAt)}, ${sizeInWords(release.size)}</span></li>`,
  );
  return `<section class="card"><h2>Other releases</h2><ul class="earlier">${rows.join('')}</ul></section>`;
}

/** A page for testers: what it is, what is new, and one button that is right for where they are. */
export function drawInstallPage(page: InstallPage): string {
  const { app, release, isLatest } = page;
  const notes = release.notes?.trim();
  return drawPage(
    `${app.displayName} ${release.shortVersion}`,
    `<section class="card">
<div class="head">${iconHtml(page)}<div><h1>${text(app.displayName)}</h1><div class="dim">by ${text(app.owner.displayName)}, for ${text(app.os)}</div></div></div>
<p>Version ${text(versionInWords(release))}${isLatest ? ', the latest' : ''}<br><span class="dim">${dayOf(release.uploadedAt)}, ${sizeInWords(release.size)}${release.minOs ? `, needs ${text(app.os)} ${text(release.minOs)}` : ''}</span></p>
${actionsHtml(page)}
</section>
${codeHtml(page)}
${notes ? `<section class="card"><h2>What is new</h2>${notesHtml(notes)}</section>` : ''}
${othersHtml(page)}
${detailsHtml(page)}`,
  );
}

/** For whoever may not see it, and for what is not there: the same words, so that nothing is told. */
export const drawNothingToInstall = (signInPath: string | undefined): string =>
  drawPage(
    'Nothing to install',
    `<section class="card"><h1>There is nothing here that you can install</h1>
<p>${
      signInPath
        ? 'If you test this app, sign in with the account that was invited.'
        : 'Your account has no release here. Ask whoever sent you the link to add you to a group of testers, or for a new link.'
    }</p>
${signInPath ? `<a class="button" href="${text(signInPath)}">Sign in</a>` : ''}</section>`,
  );

export const drawEmptyGroup = (app: App): string =>
  drawPage(
    app.displayName,
    `<section class="card"><h1>${text(app.displayName)}</h1><p>There is no release here yet. Come back later.</p></section>`,
  );

/** With the path of the sign-in if the link has only expired: testers still have the release. */
export const drawEndedLink = (signInPath?: string): string =>
  drawPage(
    'This link has ended',
    `<section class="card"><h1>This link no longer works</h1>${
      signInPath
        ? `<p>It has expired. Sign in with the account that was invited, and the release opens.</p>
<a class="button" href="${text(signInPath)}">Sign in</a>`
        : '<p>It was changed, or its release is no longer available. Ask the sender for a new link, or open the latest email about the app.</p>'
    }</section>`,
  );
