import { qrCode, qrPath } from '@mooring/contract';
import { toIso } from '../../../kernel/clock.ts';
import { escapeHtml as text } from '../../../kernel/text/html.ts';
import type { App } from '../../apps/index.ts';
import type { Release } from '../releases.ts';
import type { InstallLinks } from './install-links.ts';
import { notesHtml } from './notes-html.ts';
import { drawPage } from './page-frame.ts';
import { fitsVisitor, type VisitorSystem } from './visitor-system.ts';

const MIB = 1024 * 1024;
const formatSize = (bytes: number): string =>
  bytes < MIB ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / MIB).toFixed(1)} MB`;
const formatVersion = ({ shortVersion, version }: Release): string =>
  shortVersion === version ? version : `${shortVersion} (${version})`;
const formatDay = (at: number): string => toIso(at).slice(0, 10);

export interface InstallPage {
  app: App;
  release: Release;
  links: InstallLinks;
  isLatest: boolean;
  /** URL for App Installer on Windows, which also installs later releases. */
  appInstaller?: string | undefined;
  /** Other releases that the visitor can install, with the URLs of their pages. */
  others: { release: Release; path: string }[];
  /** URL of this page, for the QR code. */
  url: string;
  system: VisitorSystem;
  now: number;
  /** Path of the form for feedback about the release. */
  feedbackPath: string;
  /** Apple devices of the signed-in user. */
  devices: { name: string; isNamed: boolean }[] | undefined;
}

/** Only images of this server: the page loads nothing from elsewhere. */
function iconHtml({ app, release }: InstallPage): string {
  const path = release.iconPath ?? app.iconUrl;
  if (path?.startsWith('/') && !path.startsWith('//')) {
    return `<img class="icon" src="${text(path)}" alt="" width="64" height="64">`;
  }
  return `<span class="icon" aria-hidden="true">${text([...app.displayName][0]?.toUpperCase() ?? '')}</span>`;
}

const note = (message: string): string => `<p class="note">${text(message)}</p>`;

/** Finds a reason why the visitor cannot install the release. */
function findProblem({ app, release, now, system }: InstallPage): string | undefined {
  const { profile } = release.metadata;
  if (profile?.expiresAt !== undefined && profile.expiresAt <= now) {
    return 'This build can no longer be installed: its provisioning profile has expired. Ask the developer for a new build.';
  }
  if (profile?.type === 'other') {
    return "This build is signed for a store, so devices can't install it from here. Ask the developer for an ad hoc or enterprise build.";
  }
  if (release.kind === 'aab') {
    return 'This file is for Google Play: phones cannot install it. Ask the developer for an .apk.';
  }
  if (release.kind === 'appxupload' || release.kind === 'msixupload') {
    return 'This file is for the Microsoft Store: devices cannot install it directly. Ask the developer for an .msix or .appx.';
  }
  if (fitsVisitor(app.os, system) === 'no')
    return `This is an app for ${app.os}. Open this page on a device with ${app.os}.`;
  return undefined;
}

/** Shows whether the visitor's registered devices are in the provisioning profile. */
function devicesHtml({ release, devices }: InstallPage): string {
  if (release.metadata.profile?.type !== 'adhoc') return '';
  const settings = '<a href="/settings/devices">Register a device</a>';
  const missing = (devices ?? []).filter(({ isNamed }) => !isNamed).map(({ name }) => name);
  if (devices === undefined || devices.length === 0) {
    return `<p class="dim">Is your device missing from the profile? ${settings}, and ask the developer for a new build.</p>`;
  }
  if (missing.length === 0) return '';
  const message = `This build cannot be installed on these devices because its provisioning profile does not list them: ${missing.join(', ')}. Ask the developer to sign it for your device.`;
  return missing.length === devices.length ? note(message) : `<p class="dim">${text(message)}</p>`;
}

const hints: Partial<Record<Release['kind'], string>> = {
  apk: 'Android asks once whether your browser may install apps. Allow it, then open the downloaded file.',
  ipa: 'Confirm the installation. The app then appears on your Home Screen. Only devices in its provisioning profile can install it.',
  dmg: 'Open the downloaded file, then drag the app to Applications.',
  pkg: 'Open the downloaded file and follow the installer.',
  msi: 'Open the downloaded file and follow the installer.',
  msix: 'Open the downloaded file. Windows installs the app if it trusts the certificate of the app.',
  msixbundle: 'Open the downloaded file. Windows installs the app if it trusts the certificate of the app.',
  appx: 'Open the downloaded file. Windows installs the app if it trusts the certificate of the app.',
  appxbundle: 'Open the downloaded file. Windows installs the app if it trusts the certificate of the app.',
  deb: 'Install the downloaded file with: sudo apt install ./file.deb',
  rpm: 'Install the downloaded file with: sudo dnf install ./file.rpm',
  appimage: 'Make the downloaded file executable, then run it.',
};

/** Relative, so that the file comes from the host name that the visitor used. */
function toPath(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function actionsHtml(page: InstallPage): string {
  const { app, release, links, system } = page;
  const problem = findProblem(page);
  const fits = fitsVisitor(app.os, system);
  const download = (isFirst: boolean) =>
    `<a class="button${isFirst ? '' : ' second'}" href="${text(toPath(links.downloadUrl))}">Download .${text(release.kind)}</a>`;
  if (problem) return `${note(problem)}${download(false)}`;
  const hint = hints[release.kind];
  const hintHtml = hint ? `<p class="dim">${text(hint)}</p>` : '';
  if (release.kind === 'ipa') {
    const install = `<a class="button" href="${text(links.installUrl)}">Install${fits === 'yes' ? '' : ' on an iPhone or iPad'}</a>`;
    return `${install}${hintHtml}${devicesHtml(page)}${fits === 'yes' ? '' : download(false)}`;
  }
  if (page.appInstaller !== undefined && fits === 'yes') {
    const message =
      'Open the downloaded file. Windows installs the app if it trusts the certificate of the app, and keeps it up to date.';
    return `<a class="button" href="${text(page.appInstaller)}">Install</a><p class="dim">${message}</p>${download(false)}`;
  }
  if (release.kind === 'apk' && fits === 'yes') {
    return `<a class="button" href="${text(toPath(links.downloadUrl))}">Install</a>${hintHtml}`;
  }
  return `${download(true)}${hintHtml}`;
}

function codeHtml({ app, url, system }: InstallPage): string {
  // Useless on the phone itself.
  if (system === 'Android' || system === 'iOS' || !['Android', 'iOS'].includes(app.os)) return '';
  const { path, size } = qrPath(qrCode(url));
  return `<section class="card code"><svg width="132" height="132" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of this page"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg><p>Scan the code with your phone to open this page there.</p></section>`;
}

function detailsHtml({ app, release }: InstallPage): string {
  const { minOs, sha256, bundleIdentifier, metadata } = release;
  const rows: [string, string | undefined][] = [
    ['Size', formatSize(release.size)],
    [`Needs ${app.os}`, minOs && `${minOs} or later`],
    ['Identifier', bundleIdentifier],
    ['Architectures', metadata.architectures?.join(', ')],
    ['SHA-256 of the file', sha256],
    ['Signed with (SHA-256)', metadata.certificate],
    ['Profile expires', metadata.profile?.expiresAt === undefined ? undefined : formatDay(metadata.profile.expiresAt)],
  ];
  const shown = rows.flatMap(([name, value]) => (value ? [`<dt>${text(name)}</dt><dd>${text(value)}</dd>`] : []));
  return `<section class="card"><h2>About this build</h2><dl>${shown.join('')}</dl></section>`;
}

function othersHtml({ others }: InstallPage): string {
  if (others.length === 0) return '';
  const rows = others.map(
    ({ release, path }) =>
      `<li><a href="${text(path)}">${text(formatVersion(release))}</a><span class="dim">${formatDay(release.uploadedAt)}, ${formatSize(release.size)}</span></li>`,
  );
  return `<section class="card"><h2>Other releases</h2><ul class="earlier">${rows.join('')}</ul></section>`;
}

/** Renders a page for testers: the release, its notes, and one button that fits the visitor's system. */
export function drawInstallPage(page: InstallPage): string {
  const { app, release, isLatest } = page;
  const notes = release.notes?.trim();
  return drawPage(
    `${app.displayName} ${release.shortVersion}`,
    `<section class="card">
<div class="head">${iconHtml(page)}<div><h1>${text(app.displayName)}</h1><div class="dim">by ${text(app.owner.displayName)}, for ${text(app.os)}</div></div></div>
<p>Version ${text(formatVersion(release))}${isLatest ? ', the latest' : ''}<br><span class="dim">${formatDay(release.uploadedAt)}, ${formatSize(release.size)}${release.minOs ? `, needs ${text(app.os)} ${text(release.minOs)}` : ''}</span></p>
${actionsHtml(page)}
<p><a href="${text(page.feedbackPath)}">Send feedback</a></p>
</section>
${codeHtml(page)}
${notes ? `<section class="card"><h2>Release notes</h2>${notesHtml(notes)}</section>` : ''}
${othersHtml(page)}
${detailsHtml(page)}`,
  );
}

/** The same page for a missing release and one without access, so that it reveals nothing. */
export const drawNothingToInstall = (signInPath: string | undefined): string =>
  drawPage(
    'Nothing to install',
    `<section class="card"><h1>Nothing to install here</h1>
<p>${
      signInPath
        ? 'If you test this app, sign in with the account that was invited.'
        : 'Your account has no access to a release here. Ask the sender of the link to add you to a distribution group, or to send a new link.'
    }</p>
${signInPath ? `<a class="button" href="${text(signInPath)}">Sign in</a>` : ''}</section>`,
  );

export const drawEmptyGroup = (app: App): string =>
  drawPage(
    app.displayName,
    `<section class="card"><h1>${text(app.displayName)}</h1><p>No releases yet. Come back later.</p></section>`,
  );

/** With the path of the sign-in page if the link has only expired: testers still have the release. */
export const drawEndedLink = (signInPath?: string): string =>
  drawPage(
    'Link expired',
    `<section class="card"><h1>This link no longer works</h1>${
      signInPath
        ? `<p>It has expired. To open the release, sign in with the account that was invited.</p>
<a class="button" href="${text(signInPath)}">Sign in</a>`
        : '<p>The link is incomplete, or its release is no longer available. Ask the sender for a new link, or open the latest email about the app.</p>'
    }</section>`,
  );
