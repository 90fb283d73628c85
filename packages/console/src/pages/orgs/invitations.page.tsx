import { orgInvitations } from '../../api/account/invitations.ts';
import { Page } from '../../components/layout/page.tsx';
import { roleLabels } from '../../components/text/role-labels.ts';
import { useCurrentOrg } from '../../context/permissions.ts';
import { InvitationList } from '../invitations/invitation-list.tsx';
import { InviteButton } from '../invitations/invite-dialog.tsx';

export default function OrgInvitationsPage() {
  const { org } = useCurrentOrg();
  const invitations = orgInvitations(org.name);
  return (
    <Page
      title="Invitations"
      description="Pending invitations. Links work once and expire after seven days."
      actions={<InviteButton invitations={invitations} labels={roleLabels} first="collaborator" />}
    >
      <InvitationList invitations={invitations} labels={roleLabels} />
    </Page>
  );
}
