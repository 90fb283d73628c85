import { json } from '../../endpoint/index.ts';
import { Type } from '../../type.ts';
import { ReleaseDetails } from '../releases.contract.ts';

/** Additional parameters of update checks, by different versions of SDKs. */
export const updateCheckQuery = {
  release_hash: Type.Optional(Type.String({ maxLength: 200 })),
  is_install_page: Type.Optional(Type.String({ maxLength: 10 })),
  distribution_group_id: Type.Optional(Type.String({ maxLength: 100 })),
  downloaded_release_id: Type.Optional(Type.String({ maxLength: 20 })),
  install_id: Type.Optional(Type.String({ maxLength: 100 })),
  udid: Type.Optional(Type.String({ maxLength: 100 })),
};

export const latestRelease = json(ReleaseDetails, { description: 'The latest release.', isWritten: true });
