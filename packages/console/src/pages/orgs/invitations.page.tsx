import { orgInvitations } from '../../api/invitations.ts';
import { useOrgHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { roleWords } from '../../parts/role-words.ts';
import { InvitationList } from '../invitations/invitation-list.tsx';
import { InviteButton } from '../invitations/invite-dialog.tsx';

export default function OrgInvitationsPage() {
  const { org } = useOrgHere();
  const invitations = orgInvitations(org.name);
  return (
    <Page
      title="Invitations"
      lead="Sent, and not answered yet. A link works once, for seven days."
      actions={<InviteButton invitations={invitations} words={roleWords} first="collaborator" />}
    >
      <InvitationList invitations={invitations} words={roleWords} />
    </Page>
  );
}
