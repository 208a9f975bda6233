import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

function Plain(props: AnchorProps & React.ComponentPropsWithRef<'a'>) {
  return <Anchor inherit={props.size === undefined} {...props} />;
}

/** A link to a screen; what its address carries is given as `search`. */
export const To = createLink(Plain);
