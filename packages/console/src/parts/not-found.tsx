import { paths } from '../paths.ts';
import { FrontPage } from './front-page.tsx';
import { ButtonLink } from './links.tsx';

export function NotFound() {
  return (
    <FrontPage title="Page not found" lead="Nothing is at this address. Check its spelling.">
      <ButtonLink to={paths.home}>Go to the home page</ButtonLink>
    </FrontPage>
  );
}
