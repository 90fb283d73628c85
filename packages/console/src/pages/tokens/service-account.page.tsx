import { Code } from '@mantine/core';
import { useParams } from 'react-router';
import { serviceAccountTokens } from '../../api/account/tokens.ts';
import { useCurrentOrg } from '../../context/permissions.ts';
import { TokenList } from './token-list.tsx';

export default function ServiceAccountPage() {
  const { org } = useCurrentOrg();
  const { account = '' } = useParams();
  return (
    <TokenList
      title={`API tokens of ${account}`}
      description={
        <>
          Tokens that act as the service account. Send them in the header <Code>X-API-Token</Code>.
        </>
      }
      operations={serviceAccountTokens(org.name, account)}
      access={{
        all: "The service account's current permissions.",
        viewer: 'Reads as a Viewer.',
      }}
    />
  );
}
