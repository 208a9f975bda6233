/** Each role includes the rights of the earlier ones (studio API "Who may do what"). */
export const ROLES = ['floor', 'office', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** `station`: signs in one browser, which stays signed in until an admin revokes the token. */
export const TOKEN_KINDS = ['person', 'station'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
