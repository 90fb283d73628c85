import { useParams } from 'react-router';
import { userTokens, useTokens } from '../../api/tokens.ts';
import { TokenList } from './token-list.tsx';

/** What an administrator looks at when somebody's account was in the wrong hands. */
export default function UserTokensPage() {
  const operations = userTokens(useParams().user ?? '');
  const name = useTokens(operations).data?.[0]?.created_by ?? 'this user';
  return (
    <TokenList
      title={`API tokens of ${name}`}
      lead="Every one that they made, for themselves and for apps."
      operations={operations}
    />
  );
}
