// Who gives a grant: a registered domestic client, or a foreign business that is known by its eSeal.

/** Who has given a grant: what a token says of it. */
export type Grantor = {
  kind: 'domestic' | 'foreign';
  clientId: string;
  /** As tokens name it. */
  organisation: string;
  /** What the eSeal says of the foreign business. */
  seal?: { organizationName: string | undefined; countryName: string | undefined };
};
