import type { Ctx, Deps } from '../../../context.ts';
import { DAY } from '../../../kernel/clock.ts';
import { isSignedUntil, signUntil } from '../../../kernel/crypto/sealed.ts';
import { Failure } from '../../../kernel/errors.ts';
import { getApp, getAppRef } from '../../apps/index.ts';
import { receiveFeedback } from '../../feedback/index.ts';
import { findRelease } from '../releases.ts';
import { showFeedbackForm, showFeedbackSent } from './feedback-page.ts';
import { formatVersion } from './page-parts.ts';
import type { ShownPage } from './shown-page.ts';
import { visitorSystem } from './visitor-system.ts';

const purpose = 'release-feedback';
const LINK_DAYS = 7;

const toSignedText = (appId: string, releaseId: number): string => `${appId} ${releaseId}`;

/**
 * The path of the form for feedback about a release. Only someone who could see its install page knows it. It changes once
 * a day, so that the install page stays the same until then.
 */
export function feedbackPath({ secretKey, clock }: Deps, appId: string, releaseId: number): string {
  const now = clock.now();
  const expiresAt = now - (now % DAY) + LINK_DAYS * DAY;
  const token = signUntil(secretKey, { purpose, text: toSignedText(appId, releaseId), expiresAt });
  return `/install/feedback/${appId}/${releaseId}?token=${token}`;
}

interface FormAddress {
  appId: string;
  releaseId: number;
  token: string;
}

/** The same for a changed and an expired link, and for a release that was deleted or disabled. */
async function openForm(ctx: Ctx, { appId, releaseId, token }: FormAddress) {
  const isValid = isSignedUntil(
    ctx.secretKey,
    { purpose, text: toSignedText(appId, releaseId), token },
    ctx.clock.now(),
  );
  const gone = new Failure('NotFound', 'This link no longer works. Open the install page of the release again.');
  if (!isValid) throw gone;
  const app = await getAppRef(ctx, appId);
  const release = await findRelease({ ...ctx, app }, releaseId);
  if (!release?.isEnabled) throw gone;
  const { displayName } = await getApp({ ...ctx, app, permission: 'tester' });
  return { app, release, displayName };
}

export async function showFeedbackPage(ctx: Ctx, address: FormAddress): Promise<ShownPage> {
  const { release, displayName } = await openForm(ctx, address);
  const { actor } = ctx;
  const tester = actor.kind === 'user' ? actor.user : undefined;
  return showFeedbackForm({ appName: displayName, version: formatVersion(release), tester });
}

interface SentForm {
  text: string;
  name?: string | undefined;
  email?: string | undefined;
  model?: string | undefined;
}

export async function sendReleaseFeedback(
  ctx: Ctx,
  address: FormAddress,
  { form, files, languages }: { form: SentForm; files: readonly { bytes: Uint8Array }[]; languages: string },
): Promise<ShownPage> {
  const { app, release, displayName } = await openForm(ctx, address);
  const { actor } = ctx;
  const [locale = ''] = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*/i.exec(languages.trim()) ?? [];
  await receiveFeedback(
    ctx,
    app,
    {
      ...form,
      source: 'install_page',
      sender_id: actor.kind === 'user' ? actor.user.id : null,
      release_id: release.id,
      version: release.shortVersion,
      build: release.version,
      os: visitorSystem(ctx.origin?.userAgent) ?? '',
      locale,
    },
    files,
  );
  return showFeedbackSent(displayName);
}
