# The SQL tutorial of FastAPI, in one file.
import os
from typing import List, Union
from fastapi import Depends, FastAPI, HTTPException
from pydantic import BaseModel
from sqlalchemy import Boolean, Column, ForeignKey, Integer, String, create_engine
from sqlalchemy.orm import sessionmaker, relationship, declarative_base, Session
engine = create_engine("sqlite:///" + os.environ["DB"], connect_args={"check_same_thread": False})
SessionLocal = sessionmaker(autocommit=False, autoflush=False, bind=engine)
Base = declarative_base()
class User(Base):
    __tablename__ = "users"
    id = Column(Integer, primary_key=True, index=True)
    email = Column(String, unique=True, index=True)
    hashed_password = Column(String)
    is_active = Column(Boolean, default=True)
    items = relationship("Item", back_populates="owner")
class Item(Base):
    __tablename__ = "items"
    id = Column(Integer, primary_key=True, index=True)
    title = Column(String, index=True)
    description = Column(String, index=True)
    owner_id = Column(Integer, ForeignKey("users.id"))
    owner = relationship("User", back_populates="items")
class ItemBase(BaseModel):
    title: str
    description: Union[str, None] = None
class ItemOut(ItemBase):
    id: int
    owner_id: int
    class Config:
        orm_mode = True
class UserCreate(BaseModel):
    email: str
    password: str
class UserOut(BaseModel):
    email: str
    id: int
    is_active: bool
    items: List[ItemOut] = []
    class Config:
        orm_mode = True
Base.metadata.create_all(bind=engine)
app = FastAPI()
def get_db():
    db = SessionLocal()
    try:
        yield db
    finally:
        db.close()
@app.post("/users/", response_model=UserOut)
def create_user(user: UserCreate, db: Session = Depends(get_db)):
    if db.query(User).filter(User.email == user.email).first():
        raise HTTPException(status_code=400, detail="Email already registered")
    db_user = User(email=user.email, hashed_password=user.password + "notreallyhashed")
    db.add(db_user); db.commit(); db.refresh(db_user)
    return db_user
@app.get("/users/", response_model=List[UserOut])
def read_users(skip: int = 0, limit: int = 100, db: Session = Depends(get_db)):
    return db.query(User).offset(skip).limit(limit).all()
@app.get("/users/{user_id}", response_model=UserOut)
def read_user(user_id: int, db: Session = Depends(get_db)):
    db_user = db.query(User).filter(User.id == user_id).first()
    if db_user is None:
        raise HTTPException(status_code=404, detail="User not found")
    return db_user
@app.post("/users/{user_id}/items/", response_model=ItemOut)
def create_item(user_id: int, item: ItemBase, db: Session = Depends(get_db)):
    db_item = Item(**item.dict(), owner_id=user_id)
    db.add(db_item); db.commit(); db.refresh(db_item)
    return db_item
@app.get("/items/", response_model=List[ItemOut])
def read_items(skip: int = 0, limit: int = 100, db: Session = Depends(get_db)):
    return db.query(Item).offset(skip).limit(limit).all()
