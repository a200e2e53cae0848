import Type from 'typebox';

export const ShareOwner = Type.Object({
  user_id: Type.String(),
  nickname: Type.String(),
  avatar: Type.String(),
  portrait_url: Type.String(),
});
