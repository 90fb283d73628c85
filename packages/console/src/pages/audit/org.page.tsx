import { useCurrentOrg } from '../../context/permissions.ts';
import { AuditLog } from './audit-log.tsx';

const kinds = ['api_token', 'app', 'group', 'invitation', 'org', 'service_account', 'team'];

export default function OrgAuditPage() {
  const { org } = useCurrentOrg();
  return (
    <AuditLog
      description="Every change to the organization and its apps, newest first."
      scope={{ kind: 'org', name: org.name }}
      kinds={kinds}
    />
  );
}
