import type { AppCtx } from '../../../context.ts';
import { toIso } from '../../../kernel/clock.ts';
import { publicAvatar } from '../../avatars/index.ts';
import { announceForApp } from '../../webhooks/index.ts';
import type { DistributedRelease } from '../releases.ts';

export interface DistributionTarget {
  type: 'group' | 'tester' | 'store';
  id: string;
  /** Name of a group or store; testers are not named in announcements. */
  name?: string;
  isMandatory: boolean;
}

/** Announces a distribution, in its transaction, whether or not testers receive emails. */
export const announceRelease = (ctx: AppCtx, release: DistributedRelease, to: DistributionTarget): Promise<unknown> =>
  announceForApp(ctx, 'newAppReleased', ctx.app.id, ({ page, platform }) => {
    const { profile } = release.metadata;
    const icon = publicAvatar(ctx, release.iconPath);
    const url = page(`releases/${release.id}`);
    return {
      url,
      release_id: String(release.id),
      platform,
      uploaded_at: toIso(release.uploadedAt),
      fingerprint: release.sha256,
      ...(release.notes === undefined ? {} : { release_notes: release.notes }),
      version: release.version,
      short_version: release.shortVersion,
      ...(release.minOs === undefined ? {} : { min_os: release.minOs }),
      mandatory_update: to.isMandatory,
      size: release.size,
      ...(profile?.name === undefined ? {} : { provisioning_profile_name: profile.name }),
      ...(profile === undefined ? {} : { provisioning_profile_type: profile.type }),
      ...(release.bundleIdentifier === undefined ? {} : { bundle_identifier: release.bundleIdentifier }),
      install_link: url.replace(`${ctx.publicUrl()}/`, `${ctx.publicUrl()}/install/`),
      ...(icon === undefined ? {} : { icon_link: icon }),
      ...(to.type === 'group' ? { distribution_group_id: to.id } : {}),
      destination_type: to.type,
      ...(to.name === undefined ? {} : { destination_name: to.name }),
      installable: release.isEnabled,
    };
  });
