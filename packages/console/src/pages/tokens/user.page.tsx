import { useParams } from 'react-router';
import { userTokens, useTokens } from '../../api/account/tokens.ts';
import { TokenList } from './token-list.tsx';

/** Tokens of a user, for administrators who respond to a compromised account. */
export default function UserTokensPage() {
  const operations = userTokens(useParams().user ?? '');
  const name = useTokens(operations).data?.[0]?.created_by ?? 'this user';
  return (
    <TokenList
      title={`API tokens of ${name}`}
      description="User tokens and app tokens that this user created."
      operations={operations}
    />
  );
}
